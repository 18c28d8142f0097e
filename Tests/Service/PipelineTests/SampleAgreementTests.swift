import Bytes
import CrashInput
import CrashModel
import Identifiers
import JSON
import ObjectFormats
import Pipeline
import ReportFormats
import SymbolSources
import TestSupport
import Testing

/// Follows the samples from their bytes to functions and lines, and compares every frame with
/// llvm-symbolizer's result for the address that was looked up (`Symbols/expected`).
@Suite struct SampleAgreementTests {
  @Test(
    "Every frame of every sample is what llvm-symbolizer says",
    arguments: ["apple-ips", "apple-crash", "sanitizer", "swift-backtrace"])
  func agreement(format: String) throws {
    let answers = try ExpectedFrames()
    let processor = Samples.processor()
    var compared = 0
    InputWalker().walk([Samples.path(format)]) { file in
      guard let bytes = try? file.content.get(), let reports = try? processor.process(bytes) else {
        Issue.record("\(file.path) is not read")
        return .next
      }
      for processed in reports {
        for stack in processed.report.stacks {
          compared += compare(stack, of: processed.report, with: answers, in: file.path)
        }
      }
      return .next
    }
    #expect(compared > 100, "too few frames lie in the sample programs: \(compared)")
  }

  /// Whether the program that wrote the sample found names and lines itself.
  private func keepsItsNames(_ path: String) -> Bool {
    path.contains("-symbolized") || path.contains("-tsan-") || path.contains("-ubsan-")
  }

  /// - Returns: The number of compared locations.
  private func compare(
    _ stack: [Frame], of report: CrashReport, with answers: ExpectedFrames, in path: String
  ) -> Int {
    var compared = 0
    var start = 0
    while start < stack.count {
      var end = start
      while stack[end].inlined, end + 1 < stack.count { end += 1 }
      defer { start = end + 1 }
      let frame = stack[end]
      guard let image = frame.image.map({ report.images[$0] }), let offset = frame.imageOffset,
        let file = Samples.index.candidates(for: image).first,
        // The system's libraries have only unwind rules.
        image.symbols?.verdict != .stripped
      else { continue }
      let address = frame.position.lookUp(offset).value &+ file.object.imageBase
      guard let expected = answers.frames(at: address, of: file) else {
        Issue.record("\(path): no expected result for 0x\(String(address, radix: 16))")
        continue
      }
      // Code without lines has only the symbol table's name, and the report may know as much.
      guard expected.last?.line != 0 else { continue }
      // The report's own names are kept if its debug file was found only by name.
      let isUnverified = image.symbols?.match == .name
      if isUnverified, keepsItsNames(path) { continue }
      let found = stack[start...end].map { frame in
        ExpectedFrames.Frame(
          name: frame.symbol ?? frame.function ?? "", file: frame.file ?? "",
          line: frame.line ?? 0)
      }
      // llvm-symbolizer leaves out the namespaces of functions without a linkage name.
      let plain = zip(found, expected).map { ours, theirs in
        let isScoped = !theirs.name.isEmpty && ours.name.hasSuffix("::" + theirs.name)
        return isScoped
          ? ExpectedFrames.Frame(name: theirs.name, file: ours.file, line: ours.line) : ours
      }
      #expect(
        found.count == expected.count && plain == expected,
        "\(path): 0x\(String(address, radix: 16))")
      compared += 1
    }
    return compared
  }
}

extension CrashReport {
  /// All stacks: of the threads, of the exceptions, and those beside them.
  fileprivate var stacks: [[Frame]] {
    threads.map(\.frames) + otherStacks.map(\.frames)
      + [reason.exception?.frames].compactMap(\.self)
  }
}

/// Results of llvm-symbolizer, by debug file and address.
private struct ExpectedFrames {
  struct Frame: Equatable {
    var name: String
    var file: String
    var line: Int
  }

  private var tables: [String: [UInt64: [Frame]]] = [:]

  init() throws {
    let folder = Samples.debugFile("expected/")
    let index = try ByteView(reading: folder + "index.tsv", limit: 1 << 20).text
    for row in index.split(separator: "\n").dropFirst() {
      let columns = row.split(separator: "\t").map(String.init)
      if columns[1].hasPrefix("variants/") { continue }
      tables[columns[1] + " " + columns[2]] = try Self.table(folder + columns[0])
    }
  }

  private static func table(_ path: String) throws -> [UInt64: [Frame]] {
    var table: [UInt64: [Frame]] = [:]
    for line in try ByteView(reading: path, limit: 1 << 24).text.split(separator: "\n") {
      let answer = try JSONDocument.parse(ByteView(line.utf8)).value
      guard let address = answer["Address"]?.address else { continue }
      table[address] = answer["Symbol"]?.array?.map { frame in
        Frame(
          name: frame["FunctionName"]?.string ?? "", file: frame["FileName"]?.string ?? "",
          line: frame["Line"]?.integer ?? 0)
      }
    }
    return table
  }

  func frames(at address: UInt64, of file: DebugFile) -> [Frame]? {
    let path = String(file.path.dropFirst(Samples.symbolsFolder.count + 1))
    let table = tables["\(path) \(file.architecture)"] ?? tables["\(path) -"]
    return table?[address]
  }
}
