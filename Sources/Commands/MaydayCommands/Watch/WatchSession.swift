import Bytes
import CommandSupport
import CrashInput
import CrashService
import CrashStore
import Files
import Glibc
import Grouping
import JSON
import Pipeline
import Scrubbing
import SymbolSources
import Symbolication
import Terminal
import Watching

/// Watches folders until asked to stop: ingests new files in batches, and moves them away.
struct WatchSession {
  let store: CrashStore
  let options: WatchOptions
  let app: String?
  /// The limits on the files to read.
  let limits: InputLimits
  /// Debug files besides those in the store.
  let symbols: DebugFileIndex
  let isJSON: Bool
  let console: Console
  /// The folder of symbol caches, and their size limit.
  let caches: CacheFolder

  func run(_ folders: [String]) throws {
    try Self.check(folders)
    let watcher = try FolderWatcher(
      folders, settle: Int64(options.settle) * 1_000_000_000, stop: Interrupt.stopDescriptor(),
      say: { [console] path, what in console.warn("\(path.printable): \(what.printable)") })
    if options.after == .keep { try recall(watcher) }
    console.say(greeting(folders))
    var total = WatchTotal()
    var arrivals = try store.debugFiles.arrivals()
    var ingest = try ingest(seeing: arrivals)
    while let units = watcher.next() {
      let (result, outcomes) = try ingest.run(
        units, from: watcher, walker: InputWalker(limits: limits), received: .now)
      // Debug files may have arrived meanwhile.
      _ = try ReprocessingJob.run(in: store, console)
      caches.trim()
      let now = try store.debugFiles.arrivals()
      if now != arrivals {
        // The ingest remembers what it did not find.
        arrivals = now
        ingest = try self.ingest(seeing: arrivals)
      }
      try putAway(outcomes, watcher)
      total.add(result)
      try print(result, outcomes)
    }
    console.say("Stopped. " + total.sentence)
  }

  private static func check(_ folders: [String]) throws {
    for folder in folders {
      var status = stat()
      guard stat(folder, &status) == 0 else { throw FileError("open", path: folder) }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw CommandFailure("\(folder.printable): --watch is for folders", .wrongUsage)
      }
    }
  }

  /// - Parameter arrivals: The number of debug files that had arrived before.
  private func ingest(seeing arrivals: Int) throws -> Ingest {
    let symbolicators = try StoredSymbolicators(
      in: store, after: [symbols], pool: SymbolCachePool(folder: caches))
    let processor = ReportProcessor(
      symbolicators: symbolicators.choice,
      signers: SignerChoice(in: store, standard: Signer(rules: .standard)),
      scrubber: try Scrubber(of: store.settings), app: app)
    return Ingest(into: store, processor: processor, app: app, arrivals: arrivals, isLimited: true)
  }

  private func greeting(_ folders: [String]) -> String {
    let names = folders.map(\.printable).joined(separator: ", ")
    let after =
      switch options.after {
      case .move: "ingested files go to done/, others to refused/"
      case .keep: "files stay"
      case .delete: "ingested files are deleted, others go to refused/"
      }
    return "Watching \(names): \(after). Ctrl-C stops."
  }

  // MARK: Ingested files

  /// Skips the files that remained when the last watch ended, and forgets deleted ones.
  private func recall(_ watcher: FolderWatcher) throws {
    var gone: [[UInt8]] = []
    for file in try store.reports.watchedFiles() {
      let path = String(decoding: file.path, as: UTF8.self)
      if Array(path.utf8) == file.path && access(path, F_OK) != 0 && errno == ENOENT {
        gone.append(file.path)
      } else {
        watcher.leave(
          path: file.path,
          mark: FileMark(inode: file.inode, size: file.size, modified: file.modified))
      }
    }
    try store.reports.remember(watched: [], forgetting: gone)
  }

  private func putAway(_ outcomes: [UnitOutcome], _ watcher: FolderWatcher) throws {
    if options.after == .keep {
      var files: [WatchedFile] = []
      for outcome in outcomes {
        if outcome.file != .gone { files.append(outcome.unit.file) }
        for (file, what) in zip(outcome.unit.companions, outcome.companions) where what != .gone {
          files.append(file)
        }
      }
      try store.reports.remember(
        watched: files.map { file in
          WatchedFileRecord(
            path: file.pathBytes, inode: file.mark.inode, size: file.mark.size,
            modified: file.mark.modified)
        })
      for file in files { watcher.leave(file) }
      return
    }
    let outbox = Outbox(of: watcher)
    for outcome in outcomes {
      do {
        try putAway(outcome, outbox)
      } catch {
        // It stays, and is not ingested again until it changes.
        for file in [outcome.unit.file] + outcome.unit.companions { watcher.leave(file) }
        console.warn("\(error)".printable)
      }
    }
  }

  private func putAway(_ outcome: UnitOutcome, _ outbox: Outbox) throws(FileError) {
    var attached: [WatchedFile] = []
    for (file, what) in zip(outcome.unit.companions, outcome.companions) {
      switch what {
      case .attached: attached.append(file)
      case .gone: continue
      // Files in an attachment folder are moved with the folder.
      case .stored where file.attachment?.isInFolder == false:
        if options.after == .delete {
          try outbox.remove(file)
        } else {
          try outbox.move(file, to: .done)
        }
      case .refused(let reason) where file.attachment?.isInFolder == false:
        try outbox.move(file, to: .refused, reason: reason + "\n")
      case .stored, .refused: continue
      }
    }
    switch outcome.file {
    case .gone: return
    case .refused(let reason):
      try outbox.move(outcome.unit, with: attached, to: .refused, reason: reason + "\n")
    case .stored, .attached:
      if options.after == .delete {
        try outbox.remove(outcome.unit, with: attached)
      } else {
        try outbox.move(outcome.unit, with: attached, to: .done)
      }
    }
  }

  // MARK: Messages

  private func print(_ result: IngestResult, _ outcomes: [UnitOutcome]) throws {
    let text = WatchText(result: result, time: .now)
    if isJSON {
      var writer = JSONWriter(pretty: false)
      text.write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes(), isLines: true)
      return
    }
    try console.write(lines: [text.line])
    for file in result.refused {
      console.warn("\(file.source.printable): \(file.reason.printable)")
    }
  }
}
