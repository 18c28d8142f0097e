internal import Batches
internal import CrashModel
internal import Likeness
internal import TriageModel

/// Keys of the same statement with different data in the text: the links of rule L2, which the store finds
/// through its tables.
struct StatementLinks<Key: Hashable & Comparable> {
  private struct Statement: Hashable {
    let app: String
    let functions: String
  }

  /// The maximum number of a statement's keys that are compared with each other.
  private static var limit: Int { 256 }

  /// The stacks of each statement's keys, by digest.
  private var stacks: [Statement: [Key: [String: StackFeatures]]] = [:]

  mutating func add(_ statement: ClassFact.Statement, app: String, key: Key) {
    guard let features = StackFeatures(packed: statement.stack) else { return }
    stacks[Statement(app: app, functions: statement.functions), default: [:]][key, default: [:]][
      statement.digest] = features
  }

  /// Returns the groups of keys from readings, merged by the links as well. Linked groups are named after the
  /// one whose key comes first in the order.
  func roots(_ roots: [Key: Key], order: (Key) -> (Int, String)) -> [Key: Key] {
    var links: [(Key, Key)] = []
    for keys in stacks.values where keys.count > 1 {
      let compared = keys.sorted { $0.key < $1.key }.prefix(Self.limit).map { key, stacks in
        (
          key: key,
          stacks: stacks.sorted { $0.key < $1.key }.prefix(LinkPolicy.stacksOfKey).map(\.value)
        )
      }
      for (index, one) in compared.enumerated() {
        for other in compared[..<index] where Self.areAlike(one.stacks, other.stacks) {
          links.append((one.key, other.key))
        }
      }
    }
    guard !links.isEmpty else { return roots }
    let linked = LinkedKeys.roots(roots, links: links)
    var names: [Key: Key] = [:]
    for root in Set(roots.values) {
      let group = linked[root] ?? root
      guard let name = names[group] else {
        names[group] = root
        continue
      }
      let (own, others) = (order(root), order(name))
      if own < others || own == others && root < name { names[group] = root }
    }
    return linked.mapValues { names[$0] ?? $0 }
  }

  private static func areAlike(_ one: [StackFeatures], _ other: [StackFeatures]) -> Bool {
    one.contains { stack in
      other.contains {
        LinkPolicy.standard.rule(
          for: stack.likeness(to: $0), sharesFunctions: true, isStatement: true) != nil
      }
    }
  }
}

extension ClassFact.Statement {
  /// The stack of a report that ended in an assertion's statement; `nil` for any other report.
  init?(of report: CrashReport, _ signature: Signature) {
    guard signature.category == .assertion else { return nil }
    let stack = NormalisedStack(signature, type: report.reason.shortType)
    guard let functions = LinkFacts(signature, stack, of: report)?.functions,
      LinkFacts.isStatement(functions)
    else { return nil }
    let features = StackFeatures(stack)
    self.init(
      functions: functions, digest: features.digest, stack: features.packed)
  }
}
