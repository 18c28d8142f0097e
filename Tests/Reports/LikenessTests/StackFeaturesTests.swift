import CrashModel
import Foundation
import Likeness
import TestSupport
import Testing

@Suite struct StackFeaturesTests {
  @Test func `Scores agree with the formula in floating point`() {
    var random = SplitMix(seed: 7)
    for _ in 0..<400 {
      let stack = RandomStack.make(&random, names: 12)
      let other =
        random.below(2) == 0
        ? RandomStack.make(&random, names: 12) : RandomStack.varied(stack, &random)
      let score = StackFeatures(stack).likeness(to: StackFeatures(other)).millionths
      let expected = ReferenceLikeness.score(stack, other)
      #expect(abs(Double(score) / 1_000_000 - expected) < 0.001, "\(stack) \(other)")
    }
  }

  @Test func `A stack is wholly like itself, and as like another as that is like it`() {
    var random = SplitMix(seed: 8)
    for _ in 0..<200 {
      let (stack, other) = (
        RandomStack.make(&random, names: 9), RandomStack.make(&random, names: 9)
      )
      let (one, another) = (StackFeatures(stack), StackFeatures(other))
      if one.frames > 0 { #expect(one.likeness(to: one).millionths == 1_000_000) }
      #expect(one.likeness(to: another) == another.likeness(to: one))
    }
  }

  @Test func `Features survive being stored`() {
    var random = SplitMix(seed: 9)
    for _ in 0..<100 {
      let features = StackFeatures(RandomStack.make(&random, names: 30))
      #expect(StackFeatures(packed: features.packed) == features)
    }
  }

  @Test func `Bytes that are not features are refused`() {
    #expect(StackFeatures(packed: [1, 2, 3]) == nil)
    #expect(StackFeatures(packed: [9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]) == nil)
  }

  @Test func `How the process died does not count while anything else is known`() {
    let one = RandomStack.stack(("raise", .death), ("abort", .death), ("shop::total", .app))
    let other = RandomStack.stack(("__pthread_kill", .death), ("shop::total", .app))
    #expect(StackFeatures(one).likeness(to: StackFeatures(other)).millionths == 1_000_000)
  }

  @Test func `Calls of which nothing is known are like no other`() {
    let one = RandomStack.stack(("", .void), ("", .void))
    #expect(StackFeatures(one).likeness(to: StackFeatures(one)).millionths == 0)
  }

  @Test func `A million frames cost no more than sixty`() {
    let calls = (0..<1_000_000).map { NormalisedStack.Call(token: "f\($0)", frameClass: .app) }
    let features = StackFeatures(NormalisedStack(calls: calls))
    #expect(features.frames == 60)
    #expect(features.packed.count == 60 * 8)
  }

  @Test func `No stack needs more than 1,100 bytes, and an ordinary one less than 600`() {
    let deep = (0..<60).map { NormalisedStack.Call(token: "a::f\($0)", frameClass: .app) }
    let type = "a b c d e f g h i j"
    #expect(StackFeatures(NormalisedStack(calls: deep, type: type)).packed.count <= 1_100)
    let usual = NormalisedStack(calls: Array(deep.prefix(30)), type: "SIGSEGV")
    #expect(StackFeatures(usual).packed.count + StackFeatures.listLimit * 8 <= 600)
  }

  @Test func `Stacks that are half alike share a list in 995 of 1,000 cases`() {
    var random = SplitMix(seed: 10)
    var (alike, found) = (0, 0)
    while alike < 2_000 {
      let stack = RandomStack.make(&random, names: 400)
      let other = RandomStack.varied(stack, &random)
      let (one, another) = (StackFeatures(stack), StackFeatures(other))
      guard one.likeness(to: another).millionths >= 500_000 else { continue }
      alike += 1
      let lists = Set(one.lists.map(\.number))
      if another.lists.contains(where: { lists.contains($0.number) }) { found += 1 }
    }
    #expect(found * 1_000 >= alike * 995, "\(found) of \(alike)")
  }

  @Test func `A stack stands in no more lists than it may, each once`() {
    var random = SplitMix(seed: 11)
    for _ in 0..<100 {
      let lists = StackFeatures(RandomStack.make(&random, names: 5)).lists
      #expect(lists.count <= StackFeatures.listLimit)
      #expect(Set(lists.map(\.number)).count == lists.count)
    }
  }
}
