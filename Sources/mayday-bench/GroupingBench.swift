internal import Bytes
internal import CrashModel
internal import Glibc
internal import Grouping
internal import JSON

/// Signs reports of a labelled collection, for a scorer, and measures how fast.
///
/// By version 2 of the rules, or with `--rules v1` by version 1.
///
/// Reads a JSON object a line from standard input: `id`, `source`, `project`, `reason` (`type`,
/// `message`), `frames` (`function`, `module`, `file`, `line`), `causes` (exceptions of the same
/// shape). Writes `id`, a tab and the signature's key to standard output; with `--text` the text in
/// place of the key, and the true `group`. What it measured goes to standard error; where the objects
/// name their true `group`, how well the keys agree with it too.
enum GroupingBench {
  /// Bytes of standard input.
  private static let inputLimit = 1 << 30
  /// How long each rate is measured, in ticks of `clock()`.
  private static let passTime = CLOCKS_PER_SEC

  static func run(_ arguments: [String] = []) {
    guard
      let input = try? ByteView(descriptor: 0, name: "standard input", limit: inputLimit)
    else {
      note("standard input cannot be read")
      return
    }
    let rows = lines(of: input).compactMap(Row.init)
    let rules: GroupingRules = arguments.contains("v1") ? .v1 : .v2
    let signer = Signer(rules: rules)
    let showsText = arguments.contains("--text")
    var labels: [(source: String, key: String, group: String)] = []
    for row in rows {
      let signature = signer.signature(of: row.report, app: row.app)
      if !row.group.isEmpty {
        labels.append((row.source, "\(row.app)/\(signature.key)", row.group))
      }
      print(
        showsText
          ? "\(row.id)\t\(row.group)\t\(signature.category.rawValue)\t\(signature.text)"
          : "\(row.id)\t\(row.app)/\(signature.key)")
      guard arguments.contains("--steps") else { continue }
      for step in signature.steps {
        print(
          "    \(step.used ? "*" : " ") \(step.frameClass ?? "-")\t\(step.result)\t\(step.rule)\t"
            + step.subject)
      }
    }
    if !labels.isEmpty { note(TextTable.text(GroupingScore.table(labels))) }
    measure(rows, rules)
  }

  /// Signatures a second: with a signer that has seen nothing before each report, with a new signer for
  /// all, and with one that has seen everything.
  private static func measure(_ rows: [Row], _ rules: GroupingRules) {
    guard !rows.isEmpty else { return }
    let frames = rows.reduce(0) { $0 + $1.frames }
    var found = 0
    /// The best of several passes over all rows, as other programs disturb each.
    func rate(_ signer: () -> Signer) -> Int {
      var best = 0
      var total: clock_t = 0
      repeat {
        let signer = signer()
        let start = clock()
        for row in rows { found += signer.signature(of: row.report, app: row.app).steps.count }
        let time = max(clock() - start, 1)
        best = max(best, Int(Double(rows.count) * Double(CLOCKS_PER_SEC) / Double(time)))
        total += time
      } while total < passTime
      return best
    }
    let forgetful = Signer(rules: rules, remembers: false)
    let known = Signer(rules: rules)
    let cold = rate { forgetful }
    let first = rate { Signer(rules: rules) }
    note(
      """
      \(rows.count) reports, \(frames / rows.count) frames each on average
      \(cold) signatures a second of processor time with nothing remembered
      \(first) with a new signer for all
      \(rate { known }) with all names remembered
      """)
  }

  private static func note(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  private static func lines(of input: ByteView) -> [ByteView] {
    var lines: [ByteView] = []
    var start = 0
    for index in 0..<input.count where input[index] == 0x0A {
      if index > start { lines.append(input.clamped(start..<index)) }
      start = index + 1
    }
    if start < input.count { lines.append(input.clamped(start..<input.count)) }
    return lines
  }
}

/// One report of the collection.
private struct Row {
  let id: String
  let source: String
  let group: String
  let app: String
  let report: CrashReport
  let frames: Int

  init?(_ line: ByteView) {
    guard let value = try? JSONDocument.parse(line).value, let id = value["id"]?.string,
      let source = value["source"]?.string
    else { return nil }
    self.id = id
    self.source = source
    group = value["group"]?.string ?? ""
    app = source + (value["project"]?.string.map { ":" + $0 } ?? "")
    var images: [LoadedImage] = []
    let frames = Self.frames(value["frames"], &images)
    self.frames = frames.count
    let type = value["reason"]?["type"]?.string
    let message = value["reason"]?["message"]?.string
    var report = CrashReport(
      format: source == "ossfuzz" ? .sanitizer : ReportFormat("collection"))
    if value["platform"]?.string == "java" {
      let causes = (value["causes"]?.array ?? []).map {
        LanguageException(
          type: $0["type"]?.string, message: $0["message"]?.string,
          frames: Self.frames($0["frames"], &images))
      }
      // Each is the cause of the one before it.
      let chain = causes.reversed().reduce(into: [LanguageException]()) { chain, cause in
        var cause = cause
        cause.inner = chain
        chain = [cause]
      }
      report.reason.exception = LanguageException(
        type: type, message: message, frames: frames, inner: chain)
    } else if source == "ossfuzz" {
      report.reason.type = type
    } else {
      report.reason.signal = type
      report.reason.message = message
    }
    report.images = images
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    self.report = report
  }

  private static func frames(_ value: JSONValue?, _ images: inout [LoadedImage]) -> [Frame] {
    (value?.array ?? []).map { frame in
      var image: Int?
      if let path = frame["module"]?.string {
        image = images.firstIndex { $0.path == path }
        if image == nil {
          image = images.count
          images.append(
            LoadedImage(name: path.split(separator: "/").last.map(String.init) ?? path, path: path))
        }
      }
      return Frame(
        position: .adjusted, image: image, function: frame["function"]?.string,
        file: frame["file"]?.string, line: frame["line"]?.integer)
    }
  }
}
