import CrashModel
import TestSupport

/// Random stacks, and variants of them that a real change could cause.
enum RandomStack {
  static let classes: [FrameClass] = [
    .app, .app, .app, .app, .system, .system, .unknown, .glue, .base, .death, .void,
  ]

  static func stack(_ calls: (String, FrameClass)..., type: String? = nil) -> NormalisedStack {
    NormalisedStack(
      calls: calls.map { NormalisedStack.Call(token: $0, frameClass: $1) }, type: type)
  }

  /// - Parameter names: The number of functions.
  static func make(_ random: inout SplitMix, names: Int) -> NormalisedStack {
    let types: [String?] = [nil, "SIGSEGV", "java.lang.IllegalStateException", "Bad free READ 4"]
    return NormalisedStack(
      calls: (0..<(1 + random.below(40))).map { _ in call(&random, names: names) },
      type: random.pick(types))
  }

  private static func call(_ random: inout SplitMix, names: Int) -> NormalisedStack.Call {
    // Few functions are in most stacks, and many in few.
    let rank = random.below(1 + random.below(names))
    let spellings = [
      "shop::Cart\(rank % 7)::total\(rank)", "com.acme.Cart.get\(rank)", "g_list_\(rank)",
      "-[Cart\(rank % 5) draw\(rank):]", "main\(rank)", "[lib\(rank).so]",
    ]
    return NormalisedStack.Call(
      token: spellings[rank % spellings.count], frameClass: classes[rank % classes.count])
  }

  /// The stack with some calls removed, inserted, or renamed.
  static func varied(_ stack: NormalisedStack, _ random: inout SplitMix) -> NormalisedStack {
    var calls = stack.calls
    for _ in 0..<(1 + random.below(4)) {
      let index = random.below(calls.count)
      switch random.below(3) {
      case 0 where calls.count > 1: calls.remove(at: index)
      case 1: calls.insert(call(&random, names: 400), at: index)
      default: calls[index] = call(&random, names: 400)
      }
    }
    return NormalisedStack(calls: calls, type: stack.type)
  }
}
