// io/certificate_file.hpp - the format tact-certificate/1: a certificate of an impact as JSON, to
// be kept, sent and checked elsewhere.
//
// Exact certificates write every number as a rational in quotes, the others as doubles. What each
// field means is in docs/impact.md; what makes it a proof in impact/certificate.hpp.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "tact/base/result.hpp"
#include "tact/impact/certificate.hpp"

namespace tact {

inline constexpr std::string_view certificate_format = "tact-certificate/1";

struct CertificateFile {
  std::string problem;  ///< name of the problem it is about; may be empty
  std::variant<ImpactCertificate<double>, ImpactCertificate<Exact>> certificate;

  [[nodiscard]] bool exact() const { return certificate.index() == 1; }
};

[[nodiscard]] std::string write_certificate(const CertificateFile& file);

/// `source` is how the file is called in complaints. Only the form is checked here.
[[nodiscard]] Result<CertificateFile> read_certificate(std::string_view text,
                                                       const std::string& source);

}  // namespace tact
