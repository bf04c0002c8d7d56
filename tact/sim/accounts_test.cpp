#include "tact/sim/accounts.hpp"

#include <gtest/gtest.h>

namespace tact {
namespace {

TEST(Accounts, CompensatedSumsKeepWhatPlainOnesLose) {
  CompensatedSum sum;
  double plain = 0;
  sum.add(1e16);
  plain += 1e16;
  for (int i = 0; i < 1000; ++i) {
    sum.add(1);
    plain += 1;
  }
  sum.add(-1e16);
  plain += -1e16;
  EXPECT_EQ(sum.value(), 1000);
  EXPECT_NE(plain, 1000);
}

TEST(Accounts, ClosureIsWhatNobodyBooked) {
  EnergyLedger ledger;
  ledger.kinetic_change.add(3);
  ledger.potential_change.add(-1);
  ledger.book(Account::friction, -0.5);
  ledger.book(Account::wall, 2);
  EXPECT_EQ(ledger.closure(), 0.5);
  EXPECT_EQ(ledger.moved, 2.5);
  EXPECT_EQ(name(Account::stabilisation), "stabilisation");
}

}  // namespace
}  // namespace tact
