import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("PLCrashReporter's files")
struct PLCrashReaderTests {
  private func sample(_ name: String) throws -> ByteView {
    try ByteView(reading: Samples.folder + "/plcrash/\(name).plcrash", limit: 1 << 20)
  }

  /// The same incident as its system wrote it.
  private func other(_ name: String) throws -> CrashReport {
    let bytes = try ByteView(
      reading: Samples.folder + "/apple-ips/\(name).ips", limit: 1 << 20)
    return try #require(try FormatRegistry.builtIn.reports(in: bytes).first)
  }

  @Test(
    "A file says what the system's own report of the incident says",
    arguments: ["worker-null-1.1.0-ios-arm64", "raised-exception-1.1.0-ios-arm64"])
  func sameIncident(name: String) throws {
    let report = try #require(try FormatRegistry.builtIn.reports(in: sample(name)).first)
    let system = try other(name)
    #expect(report.format.description == "plcrash" && report.notes.isEmpty)
    #expect(report.incident?.lowercased() == system.incident?.lowercased())
    #expect(report.app == system.app)
    #expect(report.os == system.os)
    #expect(report.device.model == system.device.model)
    #expect(report.process.pid == system.process.pid && report.process.path == system.process.path)
    #expect(report.time?.seconds == system.time?.seconds)
    #expect(report.crashedThread == system.crashedThread)
    #expect(report.reason.signal == system.reason.signal)
    #expect(
      report.threads.map { $0.frames.map(\.address) }
        == system.threads.map { $0.frames.map(\.address) })
    #expect(
      report.threads.map { $0.frames.map(\.position) }
        == system.threads.map { $0.frames.map(\.position) })
    #expect(
      report.threads.map { $0.frames.map(\.imageOffset) }
        == system.threads.map { $0.frames.map(\.imageOffset) })
    #expect(report.images.map(\.debugID) == system.images.map(\.debugID))
    #expect(report.images.map(\.base) == system.images.map(\.base))
    #expect(report.reason.exception?.type == system.reason.exception?.type)
    #expect(report.reason.exception?.message == system.reason.exception?.message)
    #expect(
      report.reason.exception?.frames.map(\.imageOffset)
        == system.reason.exception?.frames.map(\.imageOffset))
    #expect(
      report.reason.exception?.frames.allSatisfy { $0.position == .returnAddress } ?? true)
  }

  // MARK: Reports built here

  private func varint(_ value: UInt64) -> [UInt8] {
    var value = value
    var bytes: [UInt8] = []
    while value > 127 {
      bytes.append(UInt8(value & 127) | 128)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  private func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
    varint(field << 3) + varint(value)
  }

  private func part(_ field: UInt64, _ bytes: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    return varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  private func frame(_ pc: UInt64, _ symbol: String? = nil, _ start: UInt64 = 0) -> [UInt8] {
    number(3, pc) + (symbol.map { part(6, part(1, $0.utf8) + number(2, start)) } ?? [])
  }

  private func image(_ base: UInt64, _ path: String, type: UInt64, subtype: UInt64) -> [UInt8] {
    part(
      4,
      number(1, base) + number(2, 0x4000) + part(3, path.utf8) + part(4, 1...16)
        + part(5, number(1, 1) + number(2, type) + number(3, subtype)))
  }

  private func read(_ message: [UInt8]) throws(ParseError) -> CrashReport? {
    try FormatRegistry.builtIn.reports(in: ByteView(Array("plcrash".utf8) + [1] + message)).first
  }

  @Test("Signed addresses of arm64e lose their signature; symbols their underscore")
  func signedAddresses() throws {
    let message =
      part(3, number(1, 4) + part(2, frame(0x100, "_main", 0x80)) + number(3, 0))
      + part(
        3,
        number(1, 7)
          + part(2, frame(0x8012_3401_0000_4010, "__ZN4tern3payEv", 0x1_0000_4000))
          + part(2, frame(0x1_0000_5000, "-[Till pay]", 0x1_0000_4ff0))
          + part(2, frame(0x1_0000_5004, "_far", 0x1))
          + number(3, 1))
      + image(0x1_0000_4000, "/a/Tern", type: 0x0100_000c, subtype: 2)
    let report = try #require(try read(message))
    #expect(report.device.architecture == .arm64e && report.crashedThread == 1)
    let frames = report.threads[1].frames
    #expect(frames.map(\.address?.value) == [0x1_0000_4010, 0x1_0000_5000, 0x1_0000_5004])
    #expect(frames.map(\.imageOffset?.value) == [0x10, 0x1000, 0x1004])
    #expect(frames.map(\.function) == [nil, "-[Till pay]", nil])
    #expect(frames[0].symbol == "_ZN4tern3payEv" && frames[0].symbolOffset == 0x10)
    #expect(report.threads[0].frames[0].function == "main" && report.threads[0].index == 4)
    #expect(report.threads[0].frames[0].image == nil)
  }

  @Test(
    "Systems by their numbers",
    arguments: [
      (UInt64(0), "macOS" as String?, nil as String?), (1, "iOS", nil), (2, "iOS", "iOS simulator"),
      (4, "tvOS", nil), (3, nil, nil), (77, nil, nil),
    ])
  func systems(value: UInt64, name: String?, platform: String?) throws {
    let report = try #require(
      try read(part(1, number(1, value) + part(2, "9.1".utf8) + number(4, 1_500_000_000))))
    #expect(report.os.name == name && report.tags[.platform] == platform)
    #expect(report.time == Timestamp(seconds: 1_500_000_000) && report.os.version == "9.1")
  }

  @Test("A report requested by the app is a handled error")
  func userRequested() throws {
    let report = try #require(try read(part(9, number(1, 1)) + part(10, "desk 3".utf8)))
    #expect(report.kind == .handled && report.properties["custom_data"] == "desk 3")
  }

  @Test("Mach exceptions have type, code and address; packed codes, too")
  func machException() throws {
    let codes = [number(2, 1) + number(2, 0x40), part(2, varint(1) + varint(0x40))]
    for codes in codes {
      let signal = part(1, "SIGSEGV".utf8) + part(2, "#0".utf8) + number(3, 0)
      let report = try #require(try read(part(6, signal + part(4, number(1, 1) + codes))))
      #expect(
        report.reason.type == "EXC_BAD_ACCESS" && report.reason.code == "KERN_INVALID_ADDRESS")
      #expect(report.reason.address == Address(0x40) && report.reason.signal == "SIGSEGV")
      #expect(report.tags[.exceptionCodes] == "0x1, 0x40")
    }
  }

  @Test(
    "A text that the crash overwrote is left out, an address that the processor does not give, too")
  func overwritten() throws {
    let app = part(2, part(1, "app.tern".utf8) + part(3, [0xab, 0xab, 0xab]))
    let fault = part(
      6,
      part(1, "SIGBUS".utf8) + number(3, 0) + part(4, number(1, 1) + number(2, 13) + number(2, 0)))
    let program = image(0x1000, "/a/Tern", type: 0x0100_0007, subtype: 3)
    let report = try #require(try read(app + fault + program))
    #expect(report.app == AppIdentity(identifier: "app.tern"))
    #expect(report.notes.contains("texts that the crash had overwritten were left out"))
    #expect(report.reason.code == "EXC_I386_GPFLT" && report.reason.address == nil)
  }

  @Test("Zeros after the message are not part of it; other bytes leave a note")
  func trailing() throws {
    let bytes = try sample("worker-null-1.1.0-ios-arm64").array
    let filled = bytes + [UInt8](repeating: 0, count: 4096)
    let report = try #require(try FormatRegistry.builtIn.reports(in: ByteView(filled)).first)
    #expect(report.notes.isEmpty && report.threads.count > 0)
    let other = try #require(
      try FormatRegistry.builtIn.reports(in: ByteView(bytes + [0xff, 0xff, 0xff])).first)
    #expect(other.notes.count == 1 && other.threads == report.threads)
  }

  @Test(
    "Files without a report are refused by name",
    arguments: [[], [1], [2, 10, 0], [0xff]] as [[UInt8]])
  func empty(rest: [UInt8]) throws {
    do throws(ParseError) {
      _ = try FormatRegistry.builtIn.reports(in: ByteView(Array("plcrash".utf8) + rest))
      Issue.record("read")
    } catch {
      #expect(error.description.hasPrefix("PLCrashReporter report: "))
    }
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = try sample("raised-exception-1.1.0-ios-arm64").array
    for count in bytes.indices.dropFirst(10) {
      let reports = try FormatRegistry.builtIn.allReports(in: Array(bytes[..<count]))
      #expect(reports.count <= 1)
    }
    #expect(try FormatRegistry.builtIn.allReports(in: Array(bytes[..<400])).count == 1)
    var mutator = Mutator(seed: 5)
    for _ in 0..<500 {
      for report in try FormatRegistry.builtIn.allReports(in: mutator.mutated(bytes)) {
        #expect(report.threads.count < 100)
      }
    }
  }
}
