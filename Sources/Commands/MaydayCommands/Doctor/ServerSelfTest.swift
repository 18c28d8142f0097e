import Bytes
import CrashService
import Files
import Glibc
import HTTPClient
import Identifiers
import JSON

/// The test crash on its way through a server, sent as clients do.
struct ServerSelfTest {
  /// Seconds to wait for the report.
  private static let patience = 60
  /// Seconds that a server's clock may differ.
  private static let clockTolerance: Int64 = 120
  private static let steps = [
    "ready", "token", "debug file", "intake", "worker", "clock", "symbolication", "group", "query",
    "clearing",
  ]

  private let server: String
  private let token: String?
  private let sender: WebSender

  init(server: String, token: String?, sender: WebSender) {
    self.server = String(server.reversed().drop { $0 == "/" }.reversed())
    self.token = token
    self.sender = sender
  }

  private struct Stop: Error {
    let text: String
    let remedy: String
  }

  /// - Returns: `false` if the server does not answer.
  func run(_ tell: (DoctorFinding) throws -> Void) throws -> Bool {
    do {
      let answer = try ask("GET", "/healthz")
      guard answer.status == 200, answer.body.text == "ok\n" else {
        try tell(
          .failed(
            "server", "\(server)/healthz answers \(answer.status)",
            "check that this is Mayday's address; see the proxy's configuration"))
        return true
      }
      try tell(.fine("server", "\(server) answers"))
      if let problem = PhoneAddress.problem(of: server) {
        try tell(
          .warning(
            "address", problem, "serve over https, and give that address to apps and testers"))
      }
    } catch let error as WebError {
      try tell(
        .failed(
          "server", error.description,
          "see that mayday serve runs, where it listens, and the firewall and the certificate"))
      return false
    }
    var done = 0
    func pass(_ text: String) throws {
      try tell(.fine(Self.steps[done], text))
      done += 1
    }
    var failure: Stop?
    do {
      try run(pass)
    } catch let stop as Stop {
      failure = stop
    } catch let error as WebError {
      failure = Stop(text: error.description, remedy: "see the server's log")
    }
    if let failure {
      try tell(.failed(Self.steps[done], failure.text, failure.remedy))
      for other in Self.steps.dropFirst(done + 1).dropLast() {
        try tell(.skipped(other, after: Self.steps[done]))
      }
    }
    // Cleans up whatever the outcome; without the token nothing was sent.
    if done >= 2 { try tell(clear()) }
    return true
  }

  private func run(_ pass: (String) throws -> Void) throws {
    let ready = try ask("GET", "/readyz")
    guard ready.status == 200 else {
      throw Stop(
        text: "it accepts nothing: \(Self.reason(ready))",
        remedy: "make room on its disk, or see why its queue is not worked off")
    }
    try pass("it accepts reports")

    let tokens = try ask("GET", "/api/v1/tokens")
    guard tokens.status == 200 else {
      throw Stop(
        text: Self.reason(tokens),
        remedy: "give an admin token as $MAYDAY_TOKEN: mayday tokens add doctor --scope admin")
    }
    try pass("it may do everything")

    let symbols = try ask(
      "PUT", "/api/v1/symbols?name=mayday-doctor.sym", body: SelfTestCrash.symbols)
    guard [200, 201].contains(symbols.status) else {
      throw Stop(text: Self.reason(symbols), remedy: "see the server's log")
    }
    try pass("it is taken")

    let before = Timestamp.now
    let intake = try ask(
      "POST", "/api/v1/reports?app=\(SelfTestCrash.app)", body: SelfTestCrash(now: before).report)
    guard intake.status == 202 else {
      throw Stop(
        text: Self.reason(intake), remedy: "check limits of rate and size, also those of a proxy")
    }
    try pass("a report is accepted")

    let report = try stored()
    try pass("the report is stored")

    let received = report["received"]?.string.flatMap { Timestamp($0) }
    guard let received, abs(received.seconds - before.seconds) <= Self.clockTolerance else {
      throw Stop(
        text:
          "the server received it at \(report["received"]?.string ?? "no time"), it is \(before)",
        remedy: "set the clocks and synchronise them, with systemd-timesyncd or chrony")
    }
    try pass("the server's agrees with this machine's")

    let frame = report["threads"]?[0]?["frames"]?[0]
    guard frame?["function"]?.string == SelfTestCrash.function,
      frame?["line"]?.integer == SelfTestCrash.line
    else {
      throw Stop(
        text: "the address is not resolved: \(frame?["function"]?.string ?? "no function")",
        remedy: "see the server's log, and the room and permissions of caches/ in its home")
    }
    try pass(
      "its address is \(SelfTestCrash.function) at \(SelfTestCrash.file):\(SelfTestCrash.line)")

    let groups = try list("/api/v1/groups?query=app:\(SelfTestCrash.app)")
    guard let group = groups.first, groups.count == 1, group["reports"]?.integer == 1 else {
      throw Stop(
        text: "there are \(groups.count) groups instead of one",
        remedy: "try again: another doctor may have been at work")
    }
    try pass("it is in the group '\(group["signature"]?["text"]?.string ?? "")'")

    let found = try list(
      "/api/v1/reports?query=app:\(SelfTestCrash.app)%20function:\(SelfTestCrash.function)")
    guard found.compactMap({ $0["id"]?.string }) == [report["id"]?.string ?? ""] else {
      throw Stop(text: "the report is not found by its function", remedy: "mayday doctor --home")
    }
    try pass("it is found by its function")
  }

  /// Waits for the report.
  private func stored() throws -> JSONValue {
    for _ in 0..<(Self.patience * 4) {
      let id = try list("/api/v1/reports?query=app:\(SelfTestCrash.app)").first?["id"]?.string
      if let id, let report = Self.document(try ask("GET", "/api/v1/reports/\(id)")) {
        return report
      }
      SteadyClock.pause(seconds: 0.25)
    }
    throw Stop(
      text: "the report was not stored within \(Self.patience) s",
      remedy: "see how many wait before it (/metrics), the server's log, and mayday intake list")
  }

  private func clear() -> DoctorFinding {
    let name = "clearing"
    do {
      let answer = try ask("DELETE", "/api/v1/doctor")
      guard answer.status == 204 else {
        return .failed(
          name, "the app \(SelfTestCrash.app) is left: \(Self.reason(answer))", "run this again")
      }
      return .fine(name, "nothing of it is left")
    } catch {
      return .failed(name, "the app \(SelfTestCrash.app) is left: \(error)", "run this again")
    }
  }

  private func list(_ path: String) throws -> [JSONValue] {
    let answer = try ask("GET", path)
    guard answer.status == 200, let items = Self.document(answer)?["items"]?.array else {
      throw Stop(text: "\(path): \(Self.reason(answer))", remedy: "see the server's log")
    }
    return items
  }

  private func ask(
    _ method: String, _ path: String, body: ByteView? = nil
  ) throws(WebError) -> WebResponse {
    var headers = ["Accept: application/json"]
    if let token { headers.append("Authorization: Bearer \(token)") }
    return try sender.send(WebRequest(method, server + path, headers: headers, body: body))
  }

  private static func document(_ answer: WebResponse) -> JSONValue? {
    answer.status == 200 ? try? JSONDocument.parse(answer.body).value : nil
  }

  /// The text of the server's error.
  private static func reason(_ answer: WebResponse) -> String {
    let detail = try? JSONDocument.parse(answer.body).value["detail"]?.string
    return "the answer is \(answer.status)" + (detail.map { ": \($0)" } ?? "")
  }
}
