internal import CrashModel
internal import Identifiers
internal import TriageModel

/// The effect of other rules on the groups of an app.
public struct RulePreview: Hashable, Sendable {
  /// A change of groups.
  public struct Change: Hashable, Sendable {
    public enum Kind: String, Sendable {
      /// Several groups become one.
      case merge
      /// A group becomes several.
      case split
      /// A group gets another title.
      case rename
    }

    public let kind: Kind
    /// The current groups, by name, with their titles.
    public let before: [NamedGroup]
    /// The titles of the new groups.
    public let after: [String]
    public let reports: Int
  }

  public struct NamedGroup: Hashable, Sendable {
    public let group: String
    public let title: String
  }

  public let reports: Int
  public let groups: Int
  /// Merges first, then splits and renames; each with the most reports first.
  public let changes: [Change]

  /// The number of groups that would be merged, and the number of resulting groups.
  public var merged: (groups: Int, into: Int) {
    let merges = changes.filter { $0.kind == .merge }
    return (merges.reduce(0) { $0 + $1.before.count }, merges.count)
  }

  public func count(_ kind: Change.Kind) -> Int { changes.count { $0.kind == kind } }

  /// The reports whose signature is known, by current group.
  struct GroupMove {
    private var reports = 0
    private var titles: [String: String] = [:]
    private var readings: [String: Set<String>] = [:]
    private var weakReadings: [String: Set<String>] = [:]
    private var builds: [String: Set<Release>] = [:]
    /// The number of reports and the first text, by group and new key.
    private var counts: [String: [String: (count: Int, text: String)]] = [:]

    mutating func add(_ signature: Signature, of build: Release, group: String, title: String) {
      reports += 1
      builds[signature.key, default: []].insert(build)
      titles[group] = title
      readings[signature.key, default: []].formUnion(signature.exactAlternativeKeys)
      weakReadings[signature.key, default: []].formUnion(signature.weakAlternativeKeys)
      let known = counts[group]?[signature.key]
      let isBetter = known.map { signature.text.utf8.count > $0.text.utf8.count } ?? true
      counts[group, default: [:]][signature.key] =
        ((known?.count ?? 0) + 1, isBetter ? signature.text : known?.text ?? signature.text)
    }

    /// Counts a group that stays unchanged.
    mutating func hold(group: String, title: String) {
      reports += 1
      titles[group] = title
    }

    func preview() -> RulePreview {
      let roots = KeyPartition.roots(
        of: readings, weak: KeyPartition.unrefuted(weakReadings, builds: builds))
      // The new keys of each group, and the titles of these.
      var parts: [String: Set<String>] = [:]
      var clusters: [String: [String: Int]] = [:]
      var texts: [String: (isRoot: Bool, count: Int, text: String)] = [:]
      for (group, keys) in counts.sorted(by: { $0.key < $1.key }) {
        for (key, known) in keys.sorted(by: { $0.key < $1.key }) {
          let root = roots[key] ?? key
          parts[group, default: []].insert(root)
          clusters[root, default: [:]][group, default: 0] += known.count
          let candidate = (isRoot: key == root, count: known.count, text: known.text)
          let best = texts[root]
          if best.map({
            (candidate.isRoot ? 1 : 0, candidate.count) > ($0.isRoot ? 1 : 0, $0.count)
          })
            ?? true
          {
            texts[root] = candidate
          }
        }
      }
      func namedGroup(_ group: String) -> NamedGroup {
        NamedGroup(group: group, title: titles[group] ?? "")
      }
      var changes: [Change] = []
      for (root, members) in clusters where members.count > 1 {
        changes.append(
          Change(
            kind: .merge, before: members.keys.sorted(by: Self.isBefore).map(namedGroup),
            after: [texts[root]?.text ?? ""], reports: members.values.reduce(0, +)))
      }
      for (group, roots) in parts {
        let count = counts[group]?.values.reduce(0) { $0 + $1.count } ?? 0
        if roots.count > 1 {
          changes.append(
            Change(
              kind: .split, before: [namedGroup(group)],
              after: roots.map { texts[$0]?.text ?? "" }.sorted(), reports: count))
        } else if let root = roots.first, clusters[root]?.count == 1, let text = texts[root]?.text,
          text != titles[group]
        {
          changes.append(
            Change(kind: .rename, before: [namedGroup(group)], after: [text], reports: count))
        }
      }
      let order: [Change.Kind] = [.merge, .split, .rename]
      changes.sort { left, right in
        let kinds = (order.firstIndex(of: left.kind) ?? 0, order.firstIndex(of: right.kind) ?? 0)
        if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
        if left.reports != right.reports { return left.reports > right.reports }
        return Self.isBefore(left.before.first?.group ?? "", right.before.first?.group ?? "")
      }
      return RulePreview(reports: reports, groups: titles.count, changes: changes)
    }

    /// Whether an id comes first: `TERN-9` before `TERN-12`.
    private static func isBefore(_ one: String, _ other: String) -> Bool {
      (one.utf8.count, one) < (other.utf8.count, other)
    }
  }
}
