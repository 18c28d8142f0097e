internal import Bytes
internal import CrashModel
internal import JSON

extension ReportFormat {
  /// A problem of ABRT, which Fedora and related systems use.
  static let abrt = ReportFormat("abrt")
}

/// Problems of ABRT: its reports for servers (`ureport`), satyr's stacks (`core_backtrace`), and a problem's
/// folder as one text (``AbrtProblem``).
///
/// Source: satyr's `abrt.c`, `report.c` and the readers of its stacks; abrt's "Problem data".
enum AbrtReader: DocumentReader {
  static let format = ReportFormat.abrt
  static let fileExtension = "json"
  static let openings: [StaticString] = [AbrtProblem.opening]

  private static let head = 64 << 10

  static func recognises(_ bytes: ByteView) -> Bool {
    let head = bytes.clamped(0..<head).bytes.trimmed
    if head.has(AbrtProblem.opening) { return true }
    guard head.has("{") else { return false }
    return head.contains("\"ureport_version\"") || isStack(bytes, head)
  }

  /// Whether the object is only a stack of satyr's.
  private static func isStack(_ bytes: ByteView, _ head: RawSpan) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    if keys.contains("stacktrace") {
      return head.contains("\"build_id_offset\"") || head.contains("\"fingerprint\"")
        || keys.contains("exception_name") && head.contains("\"file_line\"")
    }
    if keys.contains("threads") { return head.contains("\"is_exception\"") }
    return keys.contains("raw_oops") || keys.contains("taint_flags") && keys.contains("frames")
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    if bytes.clamped(0..<head).bytes.trimmed.has(AbrtProblem.opening) {
      return try AbrtProblem.reports(in: bytes)
    }
    let document = try ObjectDocument(reading: bytes, name: "a problem of ABRT")
    let value = document.value
    var reports: [CrashReport]
    if let problem = value.member("problem") {
      reports = try AbrtStack.reports(of: problem, kind: problem.text("type"))
      for index in reports.indices { addFacts(value, problem, to: &reports[index]) }
    } else {
      reports = try AbrtStack.reports(of: value, kind: nil)
    }
    if let note = document.note, !reports.isEmpty { reports[0].notes.append(note) }
    return reports
  }

  private static func addFacts(
    _ value: JSONValue, _ problem: JSONValue, to report: inout CrashReport
  ) {
    if let reason = value.text("reason"), report.reason.message == nil,
      report.reason.exception == nil
    {
      report.tags[.title] = reason.cut(1024)
    }
    if let os = value.member("os") {
      let words = [os.text("name"), os.text("version")].compactMap { $0 }
      if report.os.name == nil { report.os.name = "Linux" }
      if !words.isEmpty { report.tags[.distribution] = words.joined(separator: " ").cut(256) }
      if let name = os.text("architecture") {
        report.device.architecture = AbrtProblem.architecture(name)
      }
    }
    let packages = value.list("packages").prefix(4096)
    let package =
      packages.first { $0.text("package_role") == "affected" } ?? packages.first
    report.app.name = package?.text("name") ?? problem.text("component")
    if let package, let version = package.text("version") {
      report.app.version = [version, package.text("release")].compactMap { $0 }
        .joined(separator: "-").cut(256)
    }
    if report.process.path == nil, let path = executable(problem) {
      AbrtStack.setProgram(path, of: &report)
    }
    if let count = value.number("reporter_count") ?? problem.number("count"), count > 1 {
      report.tags[ReportTag("abrt.count")] = String(count)
    }
  }

  private static func executable(_ problem: JSONValue) -> String? {
    problem.text("executable") ?? problem.member("executable")?.text("path")
  }
}
