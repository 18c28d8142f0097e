internal import CrashModel
package import Likeness
internal import TriageModel

extension Comparison {
  /// The likeness of two reports' stacks, and whether the link rule applies.
  package struct Stacks {
    package let likeness: Likeness
    /// The number of frames of the longer stack, without those that only show how the process died.
    package let frames: Int
    /// The number of frames above them, which only show how the process died and are not compared.
    package let leftOut: Int
    /// The normalised names of compared frames, youngest first: matching ones, and those of one stack only.
    package let matched: [String]
    package let onlyFirst: [String]
    package let onlySecond: [String]
    /// The result of the link rule; `nil` for reports with one key, or of two apps.
    package let link: Link?

    /// Whether the built-in rule links two keys, or why not.
    package enum Link: Hashable {
      case rule(LinkRule)
      /// One of the keys is never linked.
      case neverLinked
      case otherWords, noFunctions, otherFunctions, fewFrames, unlike
    }

    /// Compares the stacks; `nil` if one of them has no frame.
    init?(_ first: Explanation, _ second: Explanation) {
      guard let one = NormalisedStack(of: first.report),
        let other = NormalisedStack(of: second.report)
      else { return nil }
      let comparison = StackComparison(one, other)
      likeness = comparison.likeness
      frames = max(StackFeatures(one).frames, StackFeatures(other).frames)
      leftOut = max(Self.deathsOnTop(one), Self.deathsOnTop(other))
      guard frames > 0 else { return nil }
      (matched, onlyFirst, onlySecond) = comparison.names
      let isOneKey = first.app == second.app && first.signature.key == second.signature.key
      link =
        isOneKey || first.app != second.app
        ? nil
        : Self.link(
          comparison.likeness, LinkFacts(first.signature, one, of: first.report),
          LinkFacts(second.signature, other, of: second.report))
    }

    private static func deathsOnTop(_ stack: NormalisedStack) -> Int {
      stack.calls.prefix { $0.frameClass == .death }.count
    }

    private static func link(_ likeness: Likeness, _ one: LinkFacts?, _ other: LinkFacts?) -> Link {
      guard let one, let other else { return .neverLinked }
      if one.functions == other.functions, LinkFacts.isStatement(one.functions) {
        let rule = LinkPolicy.standard.rule(
          for: likeness, sharesFunctions: true, isStatement: true)
        return rule.map { .rule($0) } ?? .unlike
      }
      guard one.words == other.words else { return .otherWords }
      guard one.functions != nil, other.functions != nil else { return .noFunctions }
      guard one.functions == other.functions else { return .otherFunctions }
      if let rule = LinkPolicy.standard.rule(for: likeness, sharesFunctions: true) {
        return .rule(rule)
      }
      return likeness.matchedFrames < 4 ? .fewFrames : .unlike
    }
  }
}
