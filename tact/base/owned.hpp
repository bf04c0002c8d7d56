// base/owned.hpp - a value that is kept elsewhere, so that its type may be unknown where its owner
// is declared. Copies of the owner have copies of the value.
#pragma once

#include <memory>

namespace tact {

template <class T>
class Owned {
 public:
  Owned() = default;
  /// Expects that T is known here.
  [[nodiscard]] static Owned make() {
    Owned out;
    out.value_ = Pointer(new T(), [](T* value) { delete value; });
    out.copy_ = [](const T& value) { return new T(value); };
    return out;
  }
  Owned(const Owned& other) : copy_(other.copy_) {
    if (other.value_) value_ = Pointer(copy_(*other.value_), other.value_.get_deleter());
  }
  Owned(Owned&&) noexcept = default;
  Owned& operator=(Owned other) noexcept {
    value_.swap(other.value_);
    copy_ = other.copy_;
    return *this;
  }
  ~Owned() = default;

  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  using Pointer = std::unique_ptr<T, void (*)(T*)>;
  Pointer value_{nullptr, [](T*) {}};
  T* (*copy_)(const T&) = nullptr;
};

}  // namespace tact
