internal import Bytes
internal import CrashModel
package import CrashStore
package import Query
package import ReportDocument
package import ServerStore

/// The parts of reports that a caller does not see, by app. Whatever returns a report, or tests reports by a
/// query, asks it.
package struct Withholding: Sendable {
  /// The hidden parts, by the name of the app; only apps that hide any.
  private let parts: [String: Set<ReportProtection.Part>]

  /// Hides nothing.
  package static let nothing = Withholding(parts: [:])

  private init(parts: [String: Set<ReportProtection.Part>]) { self.parts = parts }

  /// - Throws: As ``CrashStore/CrashStore/Apps/protections()``: without them nothing can be shown.
  package init(from role: Account.Role, in store: CrashStore) throws {
    // No part is hidden from admins.
    guard role != .admin else {
      self = .nothing
      return
    }
    let reader: ReportProtection.Reader = role == .triage ? .triage : .viewer
    parts = try store.apps.protections().mapValues { $0.parts(hiddenFrom: reader) }
      .filter { !$0.value.isEmpty }
  }

  package var isNothing: Bool { parts.isEmpty }

  /// The parts of an app's reports that are hidden.
  package func parts(of app: String) -> Set<ReportProtection.Part> { parts[app] ?? [] }

  // MARK: Reports

  /// Returns a report without its hidden parts, with their names and a note.
  ///
  /// - Parameter app: The app that the store has it under.
  package func applied(to stored: StoredReport, of app: String) -> StoredReport {
    let hidden = parts(of: app)
    guard !hidden.isEmpty else { return stored }
    var stored = stored
    let names = ReportProtection.Part.allCases.filter(hidden.contains)
    for part in names { stored.report.remove(part) }
    stored.withheld = names.map(\.rawValue)
    stored.report.notes.append(
      "hidden from your role: " + names.map(\.meaning).joined(separator: "; "))
    return stored
  }

  /// - Throws: ``ServiceError`` if the part is hidden in one of the apps.
  package func check(_ part: ReportProtection.Part, of apps: some Sequence<String>) throws {
    for app in apps where parts(of: app).contains(part) {
      throw Self.refusal("\(part.meaning) are hidden from your role in \(app.printable)")
    }
  }

  private static func refusal(_ text: String) -> ServiceError {
    var error = ServiceError(text, .notAllowed)
    error.isAboutRole = true
    return error
  }

  // MARK: Queries

  /// Whether a field of some app's reports tells something that is hidden.
  ///
  /// - Parameter app: The only app of those reports; `nil` for all.
  package func hides(_ field: QueryField, of app: String? = nil) -> Bool {
    parts.contains { name, hidden in
      (app == nil || app == name) && field.sources.contains { Self.hides($0, field.tag, hidden) }
    }
  }

  /// - Parameters:
  ///   - query: A query that reports are found or counted by.
  ///   - fields: Further fields whose values are counted.
  ///   - app: The only app whose reports are tested; `nil` for those that the query allows.
  /// - Throws: ``ServiceError`` if the result would tell something hidden, such as whether a user has reports.
  package func check(
    _ query: Query, by fields: [QueryField] = [], of app: String? = nil
  ) throws {
    for (name, hidden) in parts.sorted(by: { $0.key < $1.key }) where app == nil || app == name {
      let tested = query.conditions.filter { condition in
        condition.alternatives.contains {
          $0.sources.contains { Self.hides($0, condition.field.tag, hidden) }
        }
      }
      let counted = fields.filter { field in
        field.sources.contains { Self.hides($0, field.tag, hidden) }
      }
      guard let field = tested.first?.field ?? counted.first, Self.mayMeet(name, query) else {
        continue
      }
      throw Self.refusal(
        "'\(field.name.printable)' is hidden from your role in \(name.printable); "
          + "ask without it, or only for other apps")
    }
  }

  /// Whether the query's conditions on apps allow an app.
  private static func mayMeet(_ app: String, _ query: Query) -> Bool {
    var values = ReportValues()
    values.app = app
    return query.conditions.allSatisfy { condition in
      condition.alternatives.contains { $0.sources != [.app] } || condition.matches(values)
    }
  }

  /// - Parameter tag: The name of the tag, for ``ValueSource/tag``.
  private static func hides(
    _ source: ValueSource, _ tag: String?, _ hidden: Set<ReportProtection.Part>
  ) -> Bool {
    switch source {
    case .user, .install: hidden.contains(.user)
    case .attachment: hidden.contains(.submission)
    case .tag: hides(tag: tag, hidden)
    default: false
    }
  }

  /// - Parameter tag: `nil` for any.
  private static func hides(tag: String?, _ hidden: Set<ReportProtection.Part>) -> Bool {
    guard let tag = tag?.lowercased() else { return !hidden.isEmpty }
    if tag.hasPrefix(ReportValues.propertyPrefix) { return hidden.contains(.properties) }
    let tags = hidden.flatMap(\.tags)
    if tags.contains(where: { $0.description.lowercased() == tag }) { return true }
    // A property is found under its name alone, too, unless tags of that name never are properties.
    return hidden.contains(.properties) && !ReportTag.besideProperties.contains(ReportTag(tag))
  }

  // MARK: Values of tags

  /// - Parameter name: The field's name in queries, such as `tag.locale`.
  package func hides(fieldNamed name: String, of app: String? = nil) -> Bool {
    guard let field = QueryField(named: name) else { return !isNothing }
    return hides(field, of: app)
  }

  /// Returns correlations without hidden values.
  package func applied(to correlations: Correlations) -> Correlations {
    let app = correlations.app
    guard !parts(of: app).isEmpty else { return correlations }
    var correlations = correlations
    correlations.items = correlations.items.filter { !hides(fieldNamed: $0.field, of: app) }
    for index in correlations.items.indices {
      correlations.items[index].synonyms.removeAll { synonym in
        guard let query = try? Query(stored: synonym, now: .now) else { return true }
        return query.conditions.contains { hides($0.field, of: app) }
      }
    }
    return correlations
  }
}

extension ReportProtection.Part {
  /// The tags that belong to the part.
  fileprivate var tags: [ReportTag] {
    switch self {
    case .user: [.session, .comment]
    case .log: [.lastWords]
    case .properties, .submission: []
    }
  }
}

extension CrashReport {
  fileprivate mutating func remove(_ part: ReportProtection.Part) {
    for tag in part.tags { tags[tag] = nil }
    switch part {
    case .user: (user, install) = (nil, nil)
    case .properties: properties = [:]
    case .log: breadcrumbs = []
    case .submission:
      attachments = []
      // Such a note has the name of the file.
      notes.removeAll { $0.hasPrefix(ReportRecord.refusedAttachmentNote) }
    }
  }
}
