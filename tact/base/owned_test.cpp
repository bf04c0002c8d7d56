#include "tact/base/owned.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace tact {
namespace {

struct Value {
  int number = 7;
};

TEST(Owned, CopiesAreValuesOfTheirOwn) {
  Owned<Value> one = Owned<Value>::make();
  Owned<Value> other = one;
  other->number = 8;
  EXPECT_EQ(one->number, 7);
  one = other;
  other->number = 9;
  EXPECT_EQ((*one).number, 8);
  const Owned<Value> moved = std::move(one);
  EXPECT_EQ(moved->number, 8);
}

TEST(Owned, OfNothingIsCopiedAsNothing) {
  const Owned<Value> none;
  Owned<Value> copy = none;
  copy = Owned<Value>::make();
  EXPECT_EQ(copy->number, 7);
}

}  // namespace
}  // namespace tact
