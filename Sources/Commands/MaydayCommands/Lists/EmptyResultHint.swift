import Arguments
import Bytes
import CrashService
import CrashStore
import Query
import Spelling
import TriageModel

/// Hints for a query that finds nothing: which of its values no report has, and similar ones.
struct EmptyResultHint {
  /// The most values of a field to search.
  private static let mostValues = 1_000
  /// The most values to list if none is similar.
  private static let mostListed = 5

  let query: Query

  /// - Throws: As ``CrashService``.
  func lines(from service: any CrashService) throws -> [String] {
    var lines: [String] = []
    for condition in query.conditions where !condition.isNegated {
      if condition.field.name == "text" {
        lines += try condition.alternatives.compactMap { try group($0.text, from: service) }
      } else if condition.field.isCountable, condition.level == .report {
        lines += try value(of: condition, from: service)
      }
    }
    return lines
  }

  /// The group id that was searched for as a word.
  private func group(_ word: String, from service: any CrashService) throws -> String? {
    guard GroupName.isOne(word) else { return nil }
    var query = GroupQuery(try Query("group:\(word)", now: .now))
    query.limit = 1
    guard let group = try service.groups(query).items.first else { return nil }
    return "'\(word)' was searched for as text; did you mean group:\(group.id)?"
      + " 'mayday show \(group.id)' shows the group."
  }

  /// Existing values similar to one that no report has.
  private func value(of condition: Condition, from service: any CrashService) throws -> [String] {
    let field = condition.field
    let histogram = try service.histogram(
      of: .all, by: field, countsGroups: false, limit: Self.mostValues)
    let values = histogram.rows.map(\.value).filter { !$0.isEmpty }
    let isKnown = condition.alternatives.contains { alternative in
      values.contains { alternative.test.matches($0) } || alternative.test == .absent
    }
    guard !isKnown, !values.isEmpty else { return [] }
    return condition.alternatives.map { alternative in
      let what = "\(field.name):\(alternative.text)"
      let near =
        Suggestion.nearest(to: alternative.text, among: values)
        ?? values.first { $0.lowercased().contains(alternative.text.lowercased()) }
      if let near { return "No report has \(what); did you mean \(field.name):\(near.printable)?" }
      let listed = values.prefix(Self.mostListed).map(\.printable).joined(separator: ", ")
      let more = values.count + histogram.omitted - Self.mostListed
      return "No report has \(what). There are: \(listed)" + (more > 0 ? " and \(more) more." : ".")
    }
  }
}
