import Bytes
import CrashClient
import CrashInput
import CrashService
import Rendering
import ReportFormats
import SymbolSources
import Terminal

/// Finds the files under some paths and sends them: debug files first, so that reports find them.
final class UploadSession {
  private let client: UploadClient
  private let bar: ProgressBar
  private(set) var verdicts: [UploadVerdict] = []
  /// The debug files found, and the folders and archives that contain them.
  private var debugPaths: Set<String> = []

  private var reports: [UploadItem] = []
  private var reportBytes = 0
  private var lastOrdinal = -1
  /// The number of files done, of all known.
  private var done = 0

  /// Reports are collected until this many, or this many bytes of them, can be queried and sent at once.
  private static let batch = 500
  private static let batchBytes = 64 << 20

  init(client: UploadClient, console: Console) {
    self.client = client
    bar = ProgressBar("Sending", isOn: console.isErrorTerminal)
  }

  func run(_ paths: [String]) throws {
    defer { bar.finish() }
    try sendDebugFiles(below: paths.filter { $0 != "-" })
    var failure: (any Error)?
    // The server states its limits.
    var limits = InputLimits.standard
    limits.dumpBytes = ReportSizeOption.most
    InputWalker(limits: limits).walk(paths) { file in
      do {
        try take(file)
        return .next
      } catch {
        failure = error
        return .stop
      }
    }
    if let failure { throw failure }
    try sendReports()
  }

  /// Waits until the server has stored all reports that were sent.
  func waitForReports() throws {
    for index in verdicts.indices where verdicts[index].submission != nil {
      try client.wait(for: &verdicts[index])
    }
  }

  // MARK: Debug files

  private func sendDebugFiles(below paths: [String]) throws {
    let scan = DebugFileScanner().scan(paths)
    let index = DebugFileIndex(scan)
    var items: [UploadItem] = []
    var paths: [String: String] = [:]
    var others: [(path: String, digest: String)] = []
    func add(_ item: UploadItem) {
      noteDebugFile(item.path)
      guard let digest = item.files.first?.digest else { return }
      if let first = paths[digest] {
        // The neighbour of a program may already have been found on its own.
        if first != item.path { others.append((item.path, digest)) }
        return
      }
      paths[digest] = item.path
      items.append(item)
    }
    var rest = scan.files[...]
    while let first = rest.first {
      let slices = rest.prefix { $0.path == first.path }
      rest = rest.dropFirst(slices.count)
      let refusals = slices.compactMap { DebugFileVerdict(refusing: $0) }
      guard refusals.count < slices.count else {
        verdicts.append(UploadVerdict(refusing: first.path, refusals.first?.reason ?? ""))
        noteDebugFile(first.path)
        continue
      }
      var item = UploadItem(.symbols, path: first.path, .init(first.name, first.fileBytes))
      item.bundle = first.release
      for other in slices.flatMap({ index.complete($0).supplementaryFiles }) {
        item.add(.init(other.name, other.fileBytes))
        noteDebugFile(other.path)
      }
      add(item)
    }
    for bundle in scan.bundles {
      add(UploadItem(.symbols, path: bundle.path, .init(bundle.name, bundle.fileBytes)))
    }
    for mapping in scan.mappings {
      add(UploadItem(.symbols, path: mapping.path, .init(mapping.name, mapping.fileBytes)))
    }
    verdicts += scan.refusals.map { UploadVerdict(refusing: $0.path, $0.reason) }
    for refusal in scan.refusals { noteDebugFile(refusal.path) }
    try send(items)
    for other in others {
      let same = verdicts.first { $0.digest == other.digest && $0.kind == .symbols }
      if let same { verdicts.append(same.ofSame(at: other.path)) }
    }
  }

  private func noteDebugFile(_ path: String) {
    var path = path[...]
    while !path.isEmpty, debugPaths.insert(String(path)).inserted,
      let end = path.lastIndex(where: { $0 == "/" || $0 == "!" })
    {
      path = path[..<end]
    }
  }

  // MARK: Reports

  private func take(_ file: InputFile) throws {
    // Files that belong together are in one file on disk, or follow their report.
    let isApart = file.ordinal != lastOrdinal && file.companion == nil
    lastOrdinal = file.ordinal
    if isApart, reports.count >= Self.batch || reportBytes >= Self.batchBytes { try sendReports() }
    let bytes: ByteView
    switch file.content {
    case .success(let content): bytes = content
    case .failure(.debugFile):
      if !debugPaths.contains(file.path) {
        skip(file.path, "a program or library in which there is nothing to symbolicate with")
      }
      return
    case .failure(let error):
      // The search for debug files reports it for archives, too.
      guard !verdicts.contains(where: { $0.path == file.path }) else { return }
      return verdicts.append(UploadVerdict(refusing: file.path, error.description))
    }
    let isReport = FormatRegistry.builtIn.format(of: bytes) != nil
    if let companion = file.companion, companion.isAttachment || !isReport {
      guard let index = reports.lastIndex(where: { $0.path == companion.owner }) else {
        return skip(file.path, "it belongs to \(companion.owner), which is not a crash report")
      }
      reports[index].add(.init(companion.name, bytes))
      reportBytes += bytes.count
      return
    }
    guard isReport else {
      if !debugPaths.contains(file.path) {
        skip(file.path, "neither a debug file nor a crash report")
      }
      return
    }
    let name = file.path.split { $0 == "/" || $0 == "!" }.last.map(String.init) ?? "report"
    reports.append(UploadItem(.report, path: file.path, .init(name, bytes)))
    reportBytes += bytes.count
  }

  private func skip(_ path: String, _ reason: String) {
    verdicts.append(UploadVerdict(skipping: path, reason))
  }

  private func sendReports() throws {
    let items = reports
    reports = []
    reportBytes = 0
    try send(items)
  }

  // MARK: Sending

  private func send(_ items: [UploadItem]) throws {
    guard let kind = items.first?.kind else { return }
    let known = try client.known(kind, items.flatMap { $0.files.map(\.digest) })
    for item in items {
      let total = done + items.count
      bar.update(done, of: total, detail: item.path)
      if item.files.allSatisfy({ known.contains($0.digest) }) {
        verdicts.append(UploadVerdict(item, .known))
      } else {
        verdicts.append(
          try client.send(item) { sent, all in
            bar.update(done, of: total, detail: Self.detail(item.path, sent: sent, of: all))
          })
      }
      done += 1
    }
  }

  /// `12.5 MB of 240.1 MB  build/Tern.dSYM`
  static func detail(_ path: String, sent: Int, of total: Int) -> String {
    "\(DebugFileList.size(sent)) of \(DebugFileList.size(total))  \(path)"
  }
}
