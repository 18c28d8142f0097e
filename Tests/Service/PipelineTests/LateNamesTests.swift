import Bytes
import CrashModel
import CrashStore
import Grouping
import Identifiers
import Pipeline
import SymbolSources
import Symbolication
import TestSupport
import Testing
import TriageModel

/// Different bugs whose functions the compiler inlined into `main`.
@Suite("Late symbols of functions inlined into main") struct LateNamesTests {
  private static let received = Timestamp(seconds: 1_790_000_000)
  private static let debugFile = Samples.debugFile("variants/cold-split.debug")

  /// An unsymbolicated report of AddressSanitizer about the program of ``debugFile``.
  private static func report(_ verdict: String, _ offsets: [Int]) -> String {
    var text = "==7==ERROR: AddressSanitizer: \(verdict) on address 0x60400000001c\n"
    for (index, offset) in offsets.enumerated() {
      let hex = String(offset, radix: 16)
      let image =
        offset > 0x10000
        ? "/lib/x86_64-linux-gnu/libc.so.6+0x\(hex)"
        : "/opt/quay/bin/quay+0x\(hex)"
      let build =
        offset > 0x10000
        ? "93ac61ec5a8eb1396f9fbd350e3169a558528a40" : "0149548b0ae62c4c49a3783fdfba3e8615806aee"
      text += "    #\(index) 0x7f0000\(hex)  (\(image)) (BuildId: \(build))\n"
    }
    return text
  }

  /// In `main` itself, in `tryToMoor` inlined into it, and in an `abort()` that `main` calls.
  private static let reports = [
    report("SEGV", [0x1366, 0x27249]), report("heap-use-after-free", [0x1384, 0x27249]),
    report("ABRT", [0x8aeec, 0x3bfb1, 0x139b, 0x27249]),
  ]

  @Test(
    "Adding symbols brings no two bugs together, whichever came first",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]], [true, false])
  func apart(order: [Int], late: Bool) throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    if !late { try Self.addDebugFile(to: store) }
    for index in order {
      home.write("\(index).txt", Self.reports[index].utf8)
      let processor = ReportProcessor(
        symbolicator: Symbolicator(
          sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches)),
        signer: Signer(rules: .standard), scrubber: .standard)
      let result = try Ingest(
        into: store, processor: processor, arrivals: store.debugFiles.arrivals()
      )
      .run(["\(home.path)/\(index).txt"], received: Self.received)
      #expect(result.reports == 1)
    }
    if late {
      #expect(try store.groups.list().count == 3)
      try Self.addDebugFile(to: store)
      try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
    }
    let groups = try store.groups.list().map { "\($0.signature.text): \($0.reports)" }.sorted()
    #expect(
      groups == ["ABRT | main: 1", "SEGV | main: 1", "heap-use-after-free | tryToMoor: 1"])
  }

  private static func addDebugFile(to store: CrashStore) throws {
    for file in DebugFileScanner().scan([debugFile]).files {
      try store.add(file)
    }
  }
}
