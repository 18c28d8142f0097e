internal import CrashService
internal import CrashStore
internal import HTTP
internal import Query
internal import ServerCore

/// The page of what was searched for, if that is an id.
struct IDPage {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  /// The page of an id that can hardly be anything else. A word in quotes is text.
  ///
  /// - Throws: As `CrashService`; `QueryError`.
  func certain(_ text: String) throws -> Response? {
    guard !text.contains("\"") else { return nil }
    return try IDSearch(service: call.service).certainMatch(try call.query(text)).map(redirect)
  }

  /// The page of an id that could also have been a word: of a user, or the start of a report's.
  ///
  /// - Throws: As `CrashService`; `QueryError`.
  func whereNothingMatches(_ text: String) throws -> Response? {
    guard !text.contains("\"") else { return nil }
    let query = try call.query(text)
    guard let match = try IDSearch(service: call.service).match(query) else { return nil }
    // A tab may hide groups in which the word occurs.
    var asked = GroupQuery(query)
    asked.limit = 1
    guard try call.service.groups(asked).isEmpty else { return nil }
    return redirect(to: match)
  }

  private func redirect(to match: IDSearch.Match) -> Response {
    let address =
      switch match {
      case .group(let id): "/groups/" + id.inAddress
      case .report(let id): "/reports/" + id.inAddress
      case .reports(let condition): "/reports?q=" + condition.inAddress
      }
    return .empty(.seeOther, headers: ["Location": address])
  }
}
