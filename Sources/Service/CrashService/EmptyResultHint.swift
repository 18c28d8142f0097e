internal import Bytes
internal import CrashStore
package import Query
internal import Spelling

/// Hints for a query that finds nothing: which of its values no report has, and similar ones.
package struct EmptyResultHint {
  /// The most values of a field to search.
  private static let mostValues = 1_000
  /// The most values to list if none is similar.
  private static let mostListed = 5

  let query: Query
  /// Whether the reader can enter commands.
  let namesCommands: Bool

  package init(query: Query, namesCommands: Bool = true) {
    self.query = query
    self.namesCommands = namesCommands
  }

  /// - Throws: As ``CrashService``.
  package func lines(from service: any CrashService) throws -> [String] {
    var lines: [String] = contradictions
    for condition in query.conditions where !condition.isNegated {
      if condition.field.name == "text" {
        lines += try condition.alternatives.compactMap { try id($0.text, from: service) }
      } else if condition.field.isCountable, condition.level == .report {
        lines += try value(of: condition, from: service)
      }
    }
    return lines
  }

  /// Pairs of conditions of which a report can only meet one: `app:Tern app:Atlas`.
  private var contradictions: [String] {
    let conditions = query.conditions.filter { !$0.isNegated && $0.field.hasOneValue }
    var seen: [QueryField: Condition] = [:]
    var lines: [String] = []
    for condition in conditions {
      guard let first = seen[condition.field] else {
        seen[condition.field] = condition
        continue
      }
      let values = (first.alternatives + condition.alternatives).map(\.text)
      guard Set(first.alternatives.map(\.test)).isDisjoint(with: condition.alternatives.map(\.test))
      else { continue }
      let either = "\(condition.field.name):\(values.joined(separator: "|"))"
      lines.append(
        "All conditions must hold, and a report has one \(condition.field.name); "
          + "did you mean \(either.printable)?")
    }
    return lines
  }

  /// The id that was searched for as a word.
  private func id(_ word: String, from service: any CrashService) throws -> String? {
    let search = IDSearch(service: service)
    guard let match = try search.match(word: word) else { return nil }
    let text = "'\(word.printable)' was searched for as text; did you mean \(match.condition)?"
    guard namesCommands else { return text }
    switch match {
    case .group(let id): return text + " 'mayday show \(id)' shows the group."
    case .report(let id): return text + " 'mayday show \(id.prefix(12))' shows the report."
    case .reports(let condition):
      return text + " 'mayday reports \(condition)' lists its reports."
    }
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

extension QueryField {
  /// Whether a report has at most one value, which a condition names.
  fileprivate var hasOneValue: Bool {
    [
      "app", "group", "os.version", "os.build", "device", "arch", "process", "kind", "signal",
      "user", "install", "incident", "state",
    ].contains(name)
  }
}
