internal import Bytes
internal import HTTPClient
internal import JSON
internal import TriageModel

/// The request that asks a tracker for the state of an issue, and how to read the answer.
///
/// Sources: GitHub REST API, Get an issue; GitLab REST API, Single project issue; Jira REST API 2, Get issue;
/// YouTrack REST API, Issues; Linear GraphQL API.
struct TicketQuestion {
  var request: WebRequest
  private let kind: TicketTracker.Kind

  /// Creates the request; `nil` for an address that is not that of an issue of this kind of tracker.
  ///
  /// - Parameters:
  ///   - url: The address of the issue's page.
  ///   - token: A token of the tracker; for Jira in the cloud, `MAIL:TOKEN`.
  init?(_ kind: TicketTracker.Kind, _ url: String, token: String) {
    self.kind = kind
    let page = Self.withoutQuery(url)
    switch kind {
    case .github:
      guard let (project, number) = Self.numbered(page, before: "/issues/") else { return nil }
      let origin = TicketTracker.origin(of: page)
      let api = origin == "https://github.com" ? "https://api.github.com" : origin + "/api/v3"
      request = Self.get(
        "\(api)/repos/\(project)/issues/\(number)",
        ["Authorization: Bearer \(token)", "X-GitHub-Api-Version: 2022-11-28"])
    case .gitlab:
      guard
        let (project, number) = Self.numbered(page, before: "/-/issues/")
          ?? Self.numbered(page, before: "/-/work_items/")
      else { return nil }
      let path = project.replacing("/", with: "%2F")
      request = Self.get(
        "\(TicketTracker.origin(of: page))/api/v4/projects/\(path)/issues/\(number)",
        ["PRIVATE-TOKEN: \(token)"])
    case .jira:
      guard let (base, key) = Self.named(page, after: "/browse/") else { return nil }
      let access =
        token.contains(":")
        ? "Basic " + Base64.encode(Array(token.utf8)) : "Bearer " + token
      request = Self.get(
        "\(base)/rest/api/2/issue/\(key)?fields=status", ["Authorization: \(access)"])
    case .youtrack:
      guard let (base, key) = Self.named(page, after: "/issue/") else { return nil }
      request = Self.get(
        "\(base)/api/issues/\(key)?fields=resolved", ["Authorization: Bearer \(token)"])
    case .linear:
      guard let (_, key) = Self.named(page, after: "/issue/") else { return nil }
      let origin = TicketTracker.origin(of: page)
      let api = origin == "https://linear.app" ? "https://api.linear.app" : origin
      // The key has letters, digits and dashes only.
      let body =
        #"{"query":"query($id:String!){issue(id:$id){state{type}}}","variables":{"id":"\#(key)"}}"#
      request = WebRequest(
        "POST", api + "/graphql",
        headers: ["Content-Type: application/json", "Expect:", "Authorization: \(token)"],
        body: ByteView(body.utf8))
    case .other: return nil
    }
  }

  private static func get(_ url: String, _ headers: [String]) -> WebRequest {
    WebRequest("GET", url, headers: ["Accept: application/json"] + headers)
  }

  private static func withoutQuery(_ url: String) -> String {
    String(url.prefix { !"?#".contains($0) })
  }

  /// Returns the path of a project and the number of an issue in it.
  private static func numbered(
    _ page: String, before mark: String
  ) -> (project: Substring, number: Substring)? {
    let path = page.dropFirst(TicketTracker.origin(of: page).count + 1)
    guard let place = path.firstRange(of: mark) else { return nil }
    let project = path[..<place.lowerBound]
    let number = path[place.upperBound...].prefix { $0 != "/" }
    // No dots: they would name another path.
    guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      project.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy({ !["", ".", ".."].contains($0) })
    else { return nil }
    return (project, number)
  }

  /// Returns the address of a tracker and the name of an issue in it: `TERN-7`.
  private static func named(
    _ page: String, after mark: String
  ) -> (base: Substring, key: Substring)? {
    guard let place = page.firstRange(of: mark) else { return nil }
    let key = page[place.upperBound...].prefix { $0 != "/" }
    guard !key.isEmpty,
      key.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || byte == 0x2d || byte == 0x5f
      })
    else { return nil }
    return (page[..<place.lowerBound], key)
  }

  /// Reads the state in an answer; `nil` if it has none.
  func state(in answer: JSONValue) -> GroupTicket.State? {
    switch kind {
    case .github, .gitlab:
      return answer["state"]?.string.map { $0 == "closed" ? .closed : .open }
    case .jira:
      return answer["fields"]?["status"]?["statusCategory"]?["key"]?.string
        .map { $0 == "done" ? .closed : .open }
    case .youtrack:
      guard let resolved = answer["resolved"] else { return nil }
      if case .null = resolved { return .open }
      return resolved.integer == nil ? nil : .closed
    case .linear:
      return answer["data"]?["issue"]?["state"]?["type"]?.string
        .map { ["completed", "canceled", "duplicate"].contains($0) ? .closed : .open }
    case .other: return nil
    }
  }
}
