package import Bytes
internal import CrashModel
internal import JSON
package import Pipeline
internal import TriageModel

/// The groups that are known before a triage: those of a former one, or of a store.
package struct TriageBaseline: Sendable {
  /// A key within an app.
  private struct Key: Hashable {
    let app: String
    let key: String
  }

  private var keys: Set<Key> = []
  private var alternativeKeys: Set<Key> = []
  /// The number of groups.
  package private(set) var count = 0

  /// Reads what `mayday triage --json` or `mayday groups --json` wrote.
  ///
  /// - Throws: ``TriageBaseline/Invalid`` for anything else: with a damaged baseline, everything would be new.
  package init(_ bytes: ByteView) throws {
    let parse: JSONParse
    do {
      parse = try JSONDocument.parse(bytes)
    } catch {
      throw Invalid(reason: "it is not JSON")
    }
    guard parse.cut == nil else { throw Invalid(reason: "it is cut off") }
    guard let groups = parse.value["groups"]?.array ?? parse.value.array else {
      throw Invalid(reason: "it has no groups")
    }
    for (index, group) in groups.enumerated() {
      guard let app = group["app"]?["name"]?.string,
        let hash = group["signature"]?["hash"]?.string
      else { throw Invalid(reason: "groups[\(index)] has no app or signature") }
      keys.insert(Key(app: app, key: hash))
      for key in group["keys"]?.array ?? [] {
        if let key = key.string { keys.insert(Key(app: app, key: key)) }
      }
      for key in group["alternative_keys"]?.array ?? [] {
        if let key = key.string { alternativeKeys.insert(Key(app: app, key: key)) }
      }
      count += 1
    }
  }

  /// Whether a group with a key of `group` is known.
  package func contains(_ group: TriageGroup) -> Bool {
    let app = group.summary.app
    let own = group.keys.isEmpty ? [group.summary.signature.key] : group.keys
    return own.contains { key in
      let key = Key(app: app, key: key)
      return keys.contains(key) || alternativeKeys.contains(key)
    } || group.alternativeKeys.contains { keys.contains(Key(app: app, key: $0)) }
  }

  /// Why a file is not a baseline.
  package struct Invalid: Error {
    package let reason: String
  }
}

extension TriageResult {
  /// Marks which groups the baseline lacks, and puts them first.
  package mutating func compare(with baseline: TriageBaseline) {
    for index in groups.indices { groups[index].isNew = !baseline.contains(groups[index]) }
    groups = groups.filter { $0.isNew == true } + groups.filter { $0.isNew != true }
  }

  /// The groups that the baseline lacks; none without a baseline.
  package var newGroups: [TriageGroup] { groups.filter { $0.isNew == true } }
}
