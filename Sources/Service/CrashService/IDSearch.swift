internal import Bytes
internal import CrashStore
package import Query
internal import TriageModel

/// Finds what a searched word is the id of, as people paste ids from tickets, mails and logs.
package struct IDSearch {
  package enum Match: Hashable, Sendable {
    /// `TERN-9`.
    case group(String)
    /// The whole id of a report.
    case report(String)
    /// The condition that several reports meet: `install:8D1F2A60`.
    case reports(String)

    /// The condition of a query that finds it.
    var condition: String {
      switch self {
      case .group(let id): "group:" + id
      case .report(let id): "id:" + id.prefix(12)
      case .reports(let condition): condition
      }
    }
  }

  /// The number from which a word is hardly anything but an id.
  private static let manyDigits = 12
  /// The most characters of an id.
  private static let longest = 200
  /// The fields by which a search is narrowed, and still is for an id.
  private static let narrowing: Set<String> = ["app", "version", "os", "time"]

  let service: any CrashService

  package init(service: any CrashService) { self.service = service }

  /// The match of a query that is an id and can hardly be anything else.
  ///
  /// - Throws: As ``CrashService``.
  package func certainMatch(_ query: Query) throws -> Match? {
    guard let word = Self.word(of: query), GroupName.isOne(word) || Self.isLong(word) else {
      return nil
    }
    return try match(word: word)
  }

  /// The match of a query that finds no text.
  ///
  /// - Throws: As ``CrashService``.
  package func match(_ query: Query) throws -> Match? {
    guard let word = Self.word(of: query) else { return nil }
    return try match(word: word)
  }

  func match(word: String) throws -> Match? {
    guard !word.isEmpty, word.count <= Self.longest, !word.hasPrefix("\"") else { return nil }
    if GroupName.isOne(word), let group = try group(word) { return .group(group) }
    if Self.digits(of: word) >= CrashStore.Reports.fewestDigits, !word.contains("-"),
      let match = try reports("id", word)
    {
      return match
    }
    if let match = try reports("incident", word) { return match }
    for field in ["install", "user"] {
      // Whether an id is known stays hidden from a role that does not see ids.
      do {
        if case .reports(let condition)? = try reports(field, word, opensOne: false) {
          return .reports(condition)
        }
      } catch let error as ServiceError where error.kind == .notAllowed {
        continue
      }
    }
    return nil
  }

  /// The only word of a query.
  private static func word(of query: Query) -> String? {
    let others = query.conditions.filter { !narrowing.contains($0.field.name) }
    guard let only = others.first, others.count == 1, only.field.name == "text", !only.isNegated,
      only.alternatives.count == 1
    else { return nil }
    return only.alternatives[0].text
  }

  /// The number of hexadecimal digits; 0 for text with other characters than those and dashes.
  private static func digits(of word: String) -> Int {
    guard word.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit }) else { return 0 }
    return word.count { $0 != "-" }
  }

  private static func isLong(_ word: String) -> Bool { digits(of: word) >= manyDigits }

  private func group(_ word: String) throws -> String? {
    var query = GroupQuery(try Query("group:" + word.inQuery, now: .now))
    query.limit = 1
    if let group = try service.groups(query).items.first { return group.id }
    // A group that was merged into another is found under its old name, too.
    do {
      return try service.group(word, sourceLines: nil).group.id
    } catch is UnknownID {
      return nil
    } catch StoreError.notFound {
      return nil
    } catch let error as ServiceError where error.kind == .notFound {
      return nil
    }
  }

  private func reports(_ field: String, _ word: String, opensOne: Bool = true) throws -> Match? {
    let condition = field + ":" + (field == "id" ? word : word.inQuery)
    var query = ReportQuery(try Query(condition, now: .now))
    query.limit = 1
    let page = try service.reports(query)
    guard let report = page.items.first else { return nil }
    return page.total == 1 && opensOne ? .report(report.id) : .reports(query.query.text)
  }
}
