internal import CrashModel
internal import Glibc
internal import JSON
internal import Likeness
internal import TriageModel

/// The links by likeness between the keys of labelled reports, and for each report the most similar earlier
/// ones: found as in the store, for `mayday-bench grouping`.
struct LikenessBench {
  /// A stack and the reports that have it.
  private struct Stack {
    let features: StackFeatures
    var reports: [String]
  }

  /// The data of a report that links and rankings need.
  private struct Entry {
    let id: String
    let app: String
    let key: String
    let facts: LinkFacts?
    let features: StackFeatures
  }

  /// Maximum number of reports of one stack that a ranking names.
  private static let namedReports = 20

  private let entries: [Entry]

  init(_ rows: [LabelledReport], _ signatures: [Signature]) {
    entries = zip(rows, signatures).map { row, signature in
      let stack = NormalisedStack(signature, type: row.report.reason.shortType)
      return Entry(
        id: row.id, app: row.app, key: "\(row.app)/\(signature.key)",
        facts: LinkFacts(signature, stack, of: row.report), features: StackFeatures(stack))
    }
  }

  // MARK: Links

  /// Returns the keys that the store would link, a pair for each two of their stacks.
  func links(_ policy: LinkPolicy) -> [(String, String)] {
    guard policy != .own(.off) else { return [] }
    var links: [(String, String)] = []
    for compared in comparable.values {
      for (index, one) in compared.enumerated() {
        for other in compared[..<index] where one.key != other.key {
          let likeness = one.features.likeness(to: other.features)
          let shares = one.facts?.functions != nil && one.facts?.functions == other.facts?.functions
          let isStatement = shares && LinkFacts.isStatement(one.facts?.functions)
          if policy.rule(for: likeness, sharesFunctions: shares, isStatement: isStatement) != nil {
            links.append((one.key, other.key))
          }
        }
      }
    }
    return links
  }

  /// One report of each stack of each key, by app and words.
  private var comparable: [String: [Entry]] {
    var stacks: [String: [String: Entry]] = [:]
    for entry in entries where entry.facts != nil {
      let digest = entry.features.digest
      if stacks[entry.key]?[digest] == nil { stacks[entry.key, default: [:]][digest] = entry }
    }
    var compared: [String: [Entry]] = [:]
    for (_, stacks) in stacks.sorted(by: { $0.key < $1.key }) {
      let kept = stacks.sorted { $0.key < $1.key }.prefix(LinkPolicy.stacksOfKey).map(\.value)
      for entry in kept {
        compared["\(entry.app)/\(entry.facts?.words ?? "")", default: []].append(entry)
        if let statement = entry.facts?.functions, LinkFacts.isStatement(statement) {
          compared["\(entry.app)/\(statement)", default: []].append(entry)
        }
      }
    }
    return compared
  }

  // MARK: Ranking

  /// Writes for each report the earlier ones of its app, the most similar first, one JSON object per line.
  ///
  /// Reports that the index does not find have likeness 0.
  ///
  /// - Returns: Whether the file could be written.
  func writeRanking(to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    var apps: [String: Index] = [:]
    for entry in entries {
      let found = apps[entry.app, default: Index()].take(entry.features, of: entry.id)
      var line = JSONWriter()
      line.beginObject()
      line.member("id", entry.id)
      line.key("candidates")
      line.beginArray()
      for candidate in found {
        line.beginObject()
        line.member("id", candidate.report)
        line.member("score", candidate.score)
        line.endObject()
      }
      line.endArray()
      line.endObject()
      line.newLine()
      let bytes = line.takeBytes()
      if fwrite(bytes, 1, bytes.count, file) != bytes.count { break }
    }
    let isWritten = ferror(file) == 0
    return fclose(file) == 0 && isWritten
  }

  /// The stacks of an app, by the lists that contain them.
  private struct Index {
    private var stacks: [Stack] = []
    private var numbers: [StackFeatures: Int] = [:]
    private var lists: [Int64: [Int]] = [:]

    /// Finds the stacks similar to one, and adds it.
    mutating func take(
      _ features: StackFeatures, of report: String
    ) -> [(report: String, score: Int)] {
      let own = features.lists
      var candidates = Candidates<Int>()
      for list in own { candidates.add(lists[list.number] ?? [], weight: list.weight) }
      var scores = [Int](repeating: 0, count: stacks.count)
      for number in candidates.best() {
        scores[number] = features.likeness(to: stacks[number].features).millionths
      }
      let found = scores.enumerated().flatMap { number, score in
        stacks[number].reports.map { (report: $0, score: score) }
      }
      if let number = numbers[features] {
        if stacks[number].reports.count < LikenessBench.namedReports {
          stacks[number].reports.append(report)
        }
      } else {
        numbers[features] = stacks.count
        for list in own { lists[list.number, default: []].append(stacks.count) }
        stacks.append(Stack(features: features, reports: [report]))
      }
      return found.sorted { ($1.score, $0.report) < ($0.score, $1.report) }
    }
  }
}
