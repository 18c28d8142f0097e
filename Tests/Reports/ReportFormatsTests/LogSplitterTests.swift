import Bytes
import CrashModel
import ReportFormats
import TestSupport
import Testing

@Suite("Long logs in chunks")
struct LogSplitterTests {
  /// A log of reports among lines of a server.
  private static func log(seed: UInt64, reports: Int, noise: Int) throws -> [UInt8] {
    var random = SplitMix(seed: seed)
    let samples = try (Samples.all(in: "sanitizer") + Samples.all(in: "swift-backtrace"))
      .filter { $0.hasSuffix(".txt") }.map { try Samples.bytes($0) }
    var log: [UInt8] = []
    for number in 0..<reports {
      for line in 0..<random.below(noise) {
        let text = "10:11:12.\(line) INFO [w-\(number)] GET /items/\(random.next()): 200 in 3 ms\n"
        log += Array(text.utf8)
      }
      let sample = random.pick(samples)
      // As a program prints it, or after a container's prefix.
      if random.below(3) == 0 {
        for line in sample.split(separator: 10, omittingEmptySubsequences: false) {
          log += Array("web-\(number) | ".utf8) + line + [10]
        }
      } else {
        log += sample
      }
    }
    return log
  }

  /// The chunks of `log` with windows of `size` bytes.
  private static func parts(of log: [UInt8], size: Int, most: Int) -> [ByteView] {
    let divider = FormatRegistry.builtIn.logDivider
    let bytes = ByteView(log)
    var parts: [ByteView] = []
    var start = 0
    var window = size
    while true {
      let view = bytes.clamped(start..<(start + window))
      let isLast = view.count < window
      switch divider.cut(view, isLast: isLast, isFull: window >= most) {
      case .grow: window *= 2
      case .part(let part, let next):
        if let part { parts.append(view.clamped(part)) }
        if isLast { return parts }
        #expect(next > 0)
        start += next
        window = min(view.count - next + size, most)
      }
    }
  }

  private static func reports(in bytes: ByteView) -> [CrashReport] {
    do throws(ParseError) {
      return try FormatRegistry.builtIn.reports(in: bytes)
    } catch {
      return []
    }
  }

  @Test("The chunks of a log have the reports of the whole", arguments: [1, 2, 3, 4, 5, 6])
  func sameReports(seed: UInt64) throws {
    let log = try Self.log(seed: seed, reports: 40, noise: seed.isMultiple(of: 2) ? 40 : 2_000)
    let whole = Self.reports(in: ByteView(log))
    #expect(whole.count >= 40)
    let parts = Self.parts(of: log, size: 400 << 10, most: 4 << 20)
    #expect(log.count < 1 << 20 || parts.count > 1)
    let found = parts.flatMap(Self.reports)
    #expect(found.map(\.reason) == whole.map(\.reason))
    #expect(found.map { $0.threads.map(\.frames) } == whole.map { $0.threads.map(\.frames) })
    #expect(found == whole)
  }

  @Test("Chunks without a headline are left out")
  func noise() throws {
    let lines = (0..<100).flatMap { Array("11:12:13 INFO request \($0): done\n".utf8) }
    let log = [[UInt8]](repeating: lines, count: 400).flatMap { $0 }
    #expect(Self.parts(of: log, size: 400 << 10, most: 1 << 20).isEmpty)
    let sample = try Samples.bytes(
      try #require(Samples.all(in: "sanitizer").first { $0.hasSuffix(".txt") }))
    let parts = Self.parts(of: log + sample + log, size: 400 << 10, most: 1 << 20)
    #expect(parts.count == 1)
    #expect(parts.flatMap(Self.reports).count == 1)
  }

  @Test("A headline in colours is found")
  func colours() throws {
    let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 8_000) + [10]
    let noise = [[UInt8]](repeating: filler, count: 80).flatMap { $0 }
    let coloured = """
      ==7==\u{1b}[1m\u{1b}[31mERROR: Address\u{1b}[0mSanitizer: heap-use-after-free on address 0x1 at pc 0x2
          #0 0x55d0 in tern::times /src/money.h:16

      """
    let parts = Self.parts(of: noise + Array(coloured.utf8) + noise, size: 400 << 10, most: 1 << 20)
    #expect(parts.flatMap(Self.reports).map(\.reason.type) == ["heap-use-after-free"])
  }

  @Test("Documents are not logs")
  func documents() throws {
    let divider = FormatRegistry.builtIn.logDivider
    for folder in ["apple-ips", "apple-crash", "appcenter", "minidump"] {
      for name in Samples.all(in: folder) where !name.hasSuffix(".gz") {
        #expect(!divider.isLog(try Samples.view(name).clamped(0..<(64 << 10))), "\(name)")
      }
    }
    #expect(divider.isLog(ByteView(Array("10:11:12 INFO started\n".utf8))))
    #expect(divider.isLog(ByteView(Array("{\"level\": \"info\", \"msg\": \"started\"}\n".utf8))))
  }
}
