import Bytes
import CommandSupport
import CrashInput
import CrashModel
import Glibc
import Grouping
import Identifiers
import Pipeline
import ReportFormats
import SymbolSources
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("Reports as Apple's crash text")
struct AppleCrashTests {
  private static let processor = ReportProcessor(
    symbolicator: DebugFileScanner().scan([
      Samples.symbols, Samples.debugFile("tern"), Samples.debugFile("gcc"),
      Samples.debugFile("desk"),
    ]).symbolicator, signer: Signer(rules: .standard), scrubber: nil)

  private static func samples(_ folder: String) -> [String] {
    var paths: [String] = []
    InputWalker().walk([Samples.path(folder)]) { file in
      paths.append(file.path)
      return .next
    }
    return paths.sorted()
  }

  private static func reports(_ path: String) throws -> [CrashReport] {
    let bytes = try ByteView(reading: path, limit: 1 << 24)
    return try processor.process(bytes).map(\.report)
  }

  private static func reread(_ report: CrashReport) throws -> CrashReport {
    let text = AppleCrashText(report, id: "00112233445566778899aabbccddeeff").text()
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
    #expect(reports.count == 1)
    return try #require(reports.first)
  }

  @Test(
    "Every sample reads back as the same stacks, images and registers",
    arguments: ["apple-ips", "apple-crash", "sanitizer", "swift-backtrace"])
  func roundTrip(folder: String) throws {
    let paths = Self.samples(folder)
    #expect(paths.count > 30)
    for path in paths {
      for report in try Self.reports(path) {
        let again = try Self.reread(report)
        #expect(again.format == .appleCrash)
        expectSame(report, again, path)
      }
    }
  }

  private func expectSame(_ report: CrashReport, _ again: CrashReport, _ path: String) {
    #expect(again.threads.count == report.threads.count, "\(path)")
    #expect(again.crashedThread == report.crashedThread, "\(path)")
    for (thread, other) in zip(report.threads, again.threads) {
      expectSame(thread.frames, of: report, other.frames, of: again, path)
    }
    let thrown = report.reason.exception?.frames ?? []
    expectSame(thrown, of: report, again.reason.exception?.frames ?? [], of: again, path)
    // Images of unknown address are left out.
    for image in report.images where image.base != nil {
      let other = again.images.first { $0.base == image.base && $0.debugID == image.debugID }
      #expect(other != nil, "\(path): \(image.name)")
      if let size = image.size { #expect(other?.size == size, "\(path): \(image.name)") }
      if report.os.name != "macOS", let architecture = image.architecture {
        #expect(other?.architecture == architecture, "\(path)")
      }
    }
    if let crashed = report.crashedThread, report.format != .sanitizer {
      let known = Set(again.threads[crashed].registers.map(\.value))
      for register in report.threads[crashed].registers
      where !["cpu", "err", "trap"].contains(register.name) {
        #expect(known.contains(register.value), "\(path): \(register.name)")
      }
    }
    #expect(again.reason.signal == report.reason.signal, "\(path)")
    #expect(again.reason.address == report.reason.address, "\(path)")
    if report.os.name == "iOS" || report.os.name == "macOS" {
      #expect(again.app == report.app && again.os == report.os, "\(path)")
      #expect(again.reason.type == report.reason.type, "\(path)")
    }
  }

  private func expectSame(
    _ frames: [Frame], of report: CrashReport, _ others: [Frame], of again: CrashReport,
    _ path: String
  ) {
    #expect(frames.count == others.count, "\(path)")
    for (frame, other) in zip(frames, others) {
      let image = frame.image.map { report.images[$0] }
      if let address = frame.address {
        let lookUp = frame.position.lookUp(address)
        #expect(other.address.map { other.position.lookUp($0) } == lookUp, "\(path)")
        if let image {
          #expect(other.image.map { again.images[$0].name } == lastPart(of: image), "\(path)")
        }
      }
      #expect(other.function == frame.function ?? frame.symbol, "\(path)")
      #expect(other.inlined == frame.inlined, "\(path)")
      #expect(other.line == frame.line, "\(path)")
      #expect(other.file == frame.file.map { String($0.split(separator: "/").last ?? "") })
      if let address = frame.address?.value, let offset = frame.symbolOffset,
        let otherAddress = other.address?.value, let otherOffset = other.symbolOffset
      {
        #expect(otherAddress &- otherOffset == address &- offset, "\(path)")
      }
    }
  }

  private func lastPart(of image: LoadedImage) -> String {
    image.path?.split(separator: "/").last.map(String.init) ?? image.name
  }

  @Test("Reports of every layout are printed as Apple prints them", arguments: ["arm64", "x86_64"])
  func golden(architecture: String) throws {
    let name =
      architecture == "arm64"
      ? "apple-ips/raised-exception-1.1.0-ios-arm64.ips"
      : "apple-ips/stack-overflow-1.0.0-macos-x86_64.ips"
    let report = try #require(try Self.reports(Samples.path(name)).first)
    var short = report
    // The cycles of a recursion are equal.
    for index in short.threads.indices where short.threads[index].frames.count > 40 {
      short.threads[index].frames.removeSubrange(20..<(short.threads[index].frames.count - 6))
    }
    Golden.expect(AppleCrashText(short, id: nil).text(), is: "apple-\(architecture).crash")
  }

  @Test(
    "Whatever a report holds comes out as lines that keep their form", arguments: UInt64(0)..<100)
  func anything(seed: UInt64) throws {
    var random = RandomReport(seed: seed, longest: 30)
    let report = random.next()
    let text = AppleCrashText(report, id: random.text()).text()
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    let again = try #require(try FormatRegistry.builtIn.reports(in: ByteView(text.utf8)).first)
    #expect(again.threads.count == report.threads.count)
    #expect(again.threads.map(\.frames.count) == report.threads.map(\.frames.count))
  }

  @Test("A message cannot insert stacks or images into the text")
  func headings() throws {
    var report = SampleReports.badAccess
    report.reason.message = """
      out of paper
      Thread 9 Crashed:
      0   Evil   0x0000000000000001 evil + 1

      Binary Images:
      0x1 - 0x2 Evil arm64  <00000000000000000000000000000001> /Evil
      """
    let again = try Self.reread(report)
    #expect(again.threads.count == report.threads.count)
    #expect(!again.images.contains { $0.name == "Evil" })
    #expect(again.reason.message?.hasPrefix("out of paper\n| Thread 9 Crashed:") == true)
  }

  @Test("Frames without addresses are laid out so that a load address can be subtracted again")
  func offsetsAlone() throws {
    var report = CrashReport(format: .sanitizer)
    report.images = [LoadedImage(name: "tern", path: "/app/tern"), LoadedImage(name: "other")]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [
          Frame(position: .adjusted, image: 0, imageOffset: ImageOffset(0x1f0)),
          Frame(position: .adjusted, image: 0, imageOffset: ImageOffset(0x2f0), function: "main"),
        ])
    ]
    report.crashedThread = 0
    let again = try Self.reread(report)
    #expect(again.images.map(\.name) == ["tern"])
    let offsets = again.threads[0].frames.map { frame in
      frame.imageOffset.map { frame.position.lookUp($0).value }
    }
    #expect(offsets == [0x1f0, 0x2f0])
  }

  @Test("Both commands print it, from any format")
  func commands() throws {
    let folder = ScratchFolder()
    let home = ["MAYDAY_HOME": folder.path("home")]
    let sample = Samples.path("swift-backtrace/precondition-1.1.0-debug.txt")
    let printed = Run(["symbolicate", sample, "--format", "apple"])
    #expect(printed.status == 0 && printed.output.hasPrefix("Incident Identifier: "))
    #expect(printed.output.contains("\nReport Version:      104\n"))
    #expect(Run(["ingest", sample], environment: home).status == 0)
    let lines = Run(["reports", "--ndjson"], environment: home).output
    let id = try #require(lines.firstMatch(of: /"id":"([0-9a-f]{32})"/)).1
    let shown = Run(["show", String(id), "--format", "apple"], environment: home)
    #expect(shown.status == 0 && shown.output.contains("\nThread 0 Crashed:\n"))
  }
}
