import Bytes
import Documents
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ServerAPI

/// Checks every document that a test sees against the published description of the API: the server's
/// responses, and the documents of the same kinds that commands print.
enum CheckedDocuments {
  static let description: JSONValue = {
    do {
      return try JSONDocument.parse(ByteView(APIDocument.bytes)).value
    } catch {
      preconditionFailure("the API's document is not JSON: \(error)")
    }
  }()
  static let validator = SchemaValidator(description)

  // MARK: Answers

  /// A response of the server. Addresses that the description does not have are skipped.
  static func check(_ method: String, _ target: String, _ answer: WebClient.Answer?) {
    let path = target.prefix { $0 != "?" }
    guard let answer, let operation = operation(method, String(path)) else { return }
    let place = "\(method) \(target): \(answer.status)"
    let type = (answer.headers["content-type"] ?? "").prefix { $0 != ";" }
    guard type == "application/json" || type == "application/problem+json" else { return }
    guard let value = parsed(answer.body, place) else { return }
    if type == "application/problem+json" {
      return report(validator.faults(of: value, named: "Problem"), place, value)
    }
    let response = description["paths"]?[operation.path]?[operation.method.lowercased()]?[
      "responses"]?["\(answer.status)"]
    guard let schema = response?["content"]?["application/json"]?["schema"] else {
      Issue.record("\(place): the description has no such answer")
      return
    }
    report(validator.faults(of: value, against: schema), place, value)
  }

  /// The operation with a matching path, the one with the fewest parameters.
  private static func operation(_ method: String, _ path: String) -> APIRoute? {
    let wanted = path.split(separator: "/")
    func fits(_ operation: APIRoute) -> Bool {
      let parts = operation.pattern.split(separator: "/")
      return operation.method == method && parts.count == wanted.count
        && zip(parts, wanted).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
    }
    return APIRoute.all.filter(fits).min { left, right in
      left.pattern.count { $0 == ":" } < right.pattern.count { $0 == ":" }
    }
  }

  // MARK: Commands

  /// The documents that commands print, by the words of the command; an element, for commands that
  /// print lists.
  private static let lists: [[String]: String] = [
    ["groups"]: "GroupSummary", ["reports"]: "ReportSummary", ["fields"]: "Field",
    ["formats"]: "Format",
    ["apps", "list"]: "App", ["releases", "list"]: "Release",
    ["remote-config", "history"]: "RemoteConfiguration",
    ["symbols", "list"]: "DebugFile", ["symbols", "missing"]: "MissingImage",
    ["tokens", "list"]: "Token", ["intake", "list"]: "Quarantined",
  ]
  /// Options that select another document.
  private static let others: Set = [
    "--by", "--trend", "change", "-change", "--sort=-change", "--diff", "--keys", "--crash-free",
    "--check", "--schema", "--jq",
    "--json=",
  ]

  /// The output of a run with JSON.
  static func check(_ arguments: [String], _ output: String, status: Int32) {
    guard status == 0 || status == 6,
      arguments.contains("--json") || arguments.contains("--ndjson"),
      !arguments.contains(where: { word in others.contains { word.hasPrefix($0) } }),
      // Chosen members are no whole document.
      arguments.firstIndex(of: "--json").map({
        !arguments.dropFirst($0 + 1).prefix(1).contains { $0.contains(",") }
      }) ?? true
    else { return }
    let words = Array(arguments.prefix { !$0.hasPrefix("-") })
    let place = "mayday " + arguments.joined(separator: " ")
    for count in [2, 1] {
      guard let name = lists[Array(words.prefix(count))] else { continue }
      if arguments.contains("--ndjson") {
        for line in output.split(separator: "\n") {
          guard let value = parsed(Array(line.utf8), place) else { return }
          report(validator.faults(of: value, named: name), place, value)
        }
        return
      }
      guard let value = parsed(Array(output.utf8), place) else { return }
      guard let list = value.array else {
        Issue.record("\(place): not a list")
        return
      }
      for value in list { report(validator.faults(of: value, named: name), place, value) }
      return
    }
    if words.first == "symbolicate", arguments.contains("--ndjson") {
      for line in output.split(separator: "\n") {
        guard let value = parsed(Array(line.utf8), place) else { return }
        let members = value.object ?? []
        if members.map(\.key) == ["source", "error"] { continue }
        let document = JSONValue.object(members.filter { $0.key != "source" })
        report(validator.faults(of: document, named: "Report"), place, value)
      }
      return
    }
    guard let name = words.first, ["show", "symbolicate", "stats"].contains(name),
      let value = parsed(Array(output.utf8), place)
    else { return }
    for value in value.array ?? [value] {
      report(validator.faults(of: value, named: kind(of: value, name)), place, value)
    }
  }

  private static func kind(of value: JSONValue, _ command: String) -> String {
    switch command {
    case "stats": value["disagreements"] == nil ? "Stats" : "Ledger"
    case "show" where value["history"] != nil: "Group"
    default: "Report"
    }
  }

  private static func parsed(_ bytes: [UInt8], _ place: String) -> JSONValue? {
    do {
      return try JSONDocument.parse(ByteView(bytes)).value
    } catch {
      Issue.record("\(place): no JSON: \(error)")
      return nil
    }
  }

  private static func report(_ faults: [String], _ place: String, _ value: JSONValue) {
    guard !faults.isEmpty else { return }
    Issue.record("\(place): \(faults.joined(separator: "; "))")
  }
}
