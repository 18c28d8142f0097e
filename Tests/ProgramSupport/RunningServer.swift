import Bytes
import Glibc
import JSON
import TestSupport

/// `mayday serve` on a port of its own.
final class RunningServer {
  let home: String
  let port: UInt16
  /// An admin token; empty if the home had tokens already.
  let token: String
  private let program: RunningMayday

  /// - Parameters:
  ///   - wrapper: A program and its first arguments, which runs the following command in its place.
  ///   - environment: Further variables.
  /// - Returns: `nil` if it does not start.
  init?(
    home: String, token: String = "", options: [String] = [], wrapper: [String] = [],
    environment: [String] = []
  ) {
    let words = wrapper + [BuiltProgram.mayday, "serve", "--listen", "0", "--home", home] + options
    let program = RunningMayday(
      Array(words.dropFirst()), home: home, program: words[0], environment: environment)
    var port: UInt16?
    _ = RunningMayday.wait {
      port = Self.text(in: program.errors, after: "http://127.0.0.1:", while: \.isNumber)
        .flatMap { UInt16($0) }
      return port != nil
    }
    guard let port else { return nil }
    self.home = home
    self.port = port
    self.program = program
    if token.isEmpty {
      _ = RunningMayday.wait { program.errors.contains("/api/v1/reports") }
      let rest = Self.text(in: program.errors, after: "  mayday_", while: { !$0.isWhitespace })
      self.token = "mayday_" + (rest ?? "")
    } else {
      self.token = token
    }
  }

  private static func text(
    in text: String, after mark: String, while isPart: (Character) -> Bool
  ) -> String? {
    guard let range = text.firstRange(of: mark) else { return nil }
    let found = text[range.upperBound...].prefix(while: isPart)
    // It may not be completely written yet.
    return range.upperBound < text.endIndex && found.endIndex < text.endIndex ? String(found) : nil
  }

  var errors: String { program.errors }
  var process: pid_t { program.process }

  /// A path as the server sees it, in its own mount namespace.
  func seen(_ path: String) -> String { "/proc/\(program.process)/root\(path)" }

  /// The peak memory of the server and its worker, in MB.
  var peakMemory: Int {
    ([program.process] + children).reduce(0) { $0 + Self.field("VmHWM", of: $1) } >> 10
  }

  /// The processes that the server has started.
  var children: [pid_t] {
    guard let names = try? FolderListing.names(in: "/proc") else { fatalError("no /proc") }
    return names.compactMap { pid_t($0) }
      .filter { Self.field("PPid", of: $0) == Int(program.process) }
  }

  /// A value in `/proc/PROCESS/status`; 0 if there is none.
  private static func field(_ name: String, of process: pid_t) -> Int {
    text(ofProcess: process)?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      .flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
  }

  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) -> Int32 { program.stop(signal) }

  private static func text(ofProcess number: pid_t) -> String? {
    let file = open("/proc/\(number)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return try? ByteView(descriptor: file, name: "status", limit: 1 << 16).text
  }

  /// One request on its own connection; `nil` if it was cut off.
  func ask(
    _ method: String, _ path: String, token: String? = nil, headers: [String] = [],
    body: [UInt8]? = nil
  ) -> WebClient.Answer? {
    let client = WebClient(port: port)
    var headers = headers
    let token = token ?? self.token
    // Like clients that send JSON.
    if let first = body?.first, "{[".utf8.contains(first),
      !headers.contains(where: { $0.lowercased().hasPrefix("content-type:") })
    {
      headers.append("Content-Type: application/json")
    }
    if !token.isEmpty { headers.append("Authorization: Bearer \(token)") }
    guard client.request(method, path, headers: headers, body: body) else { return nil }
    let answer = client.answer(toHead: method == "HEAD")
    CheckedDocuments.check(method, path, answer)
    return answer
  }

  func json(_ path: String) -> JSONValue {
    guard let answer = ask("GET", path),
      let document = try? JSONDocument.parse(ByteView(answer.body))
    else { return .null }
    return document.value
  }

  /// A value in `/metrics`.
  func metric(_ name: String) -> Int? { metrics()[name] }

  /// All whole numbers in `/metrics`, as of one instant.
  private func metrics() -> [String: Int] {
    let lines = ask("GET", "/metrics")?.text.split(separator: "\n") ?? []
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: " ")
        return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Waits until all accepted submissions are stored or quarantined.
  func waitForQueue() -> Bool {
    RunningMayday.wait {
      // One answer: a worker that ends gives back what it has, which is then waiting again.
      let metrics = metrics()
      return ["mayday_queue_waiting", "mayday_queue_working", "mayday_reprocess_waiting"]
        .allSatisfy { metrics[$0] == 0 }
    }
  }
}
