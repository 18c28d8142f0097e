public import Bytes
internal import CrashModel
internal import Files
public import Grouping
internal import ReportFormats
public import Scrubbing
public import Symbolication

/// Removes from a dump all memory, registers and texts that its stacks and reason do not need, and verifies
/// that these are unchanged.
///
/// All reads of the dump's memory are recorded while its stacks are unwound. The bytes that were read, and
/// the lists that describe the dump, are written to a file of the same size; everything else in it is zero.
/// That file is parsed and unwound again. If a thread's stack differs, more of the memory read for it is
/// kept: first only possible addresses, then every word, then every register.
public struct DumpScrubber {
  private let symbolicator: Symbolicator
  private let signer: Signer
  private let mask: DumpTextMask
  private let keepsRegisters: Bool

  /// - Parameters:
  ///   - scrubber: The rules for texts that are kept.
  ///   - keepsRegisters: Whether all registers are kept, whatever their values.
  public init(
    symbolicator: Symbolicator, signer: Signer, scrubber: Scrubber, keepsRegisters: Bool = false
  ) {
    self.symbolicator = symbolicator
    self.signer = signer
    mask = DumpTextMask(scrubber: scrubber)
    self.keepsRegisters = keepsRegisters
  }

  /// Writes a dump without private data.
  ///
  /// - Parameters:
  ///   - bytes: The dump; not written to while this runs.
  ///   - path: The path of the new dump, which is created only after verification.
  /// - Throws: ``DumpScrubError``, ``ParseError``, `FileError`; the error of a source of debug files that
  ///   fails.
  public func scrub(_ bytes: ByteView, to path: String) throws -> ScrubbedDump {
    guard let layout = try DumpLayout(of: bytes) else { throw DumpScrubError.notADump }
    let reads = MemoryReads()
    let original = try read(bytes, recording: reads)
    var plan = DumpPlan(layout, of: bytes, original, keepsRegisters: keepsRegisters)
    while true {
      let (pages, result) = plan.pages(mask)
      let file = try NewFile(at: path)
      try pages.write(to: file.file, size: bytes.count, named: path)
      let copy = try read(ByteView(mapping: "/proc/self/fd/\(file.file.number)"))
      let difference = DumpDifference(original.report, copy.report)
      if difference.isNone {
        try file.finish()
        var result = result
        result.changesSignature = signature(of: original) != signature(of: copy)
        return result
      }
      guard try plan.keepMore(for: difference, { try walk(original, threads: $0) }) else {
        throw DumpScrubError.differs(difference.description)
      }
    }
  }

  /// A parsed and unwound dump, with the memory read for that.
  struct Walked {
    var parsed: CrashReport
    var report: CrashReport
    /// Reads before unwinding.
    var parseReads: Set<MemoryReads.Read> = []
    var walkReads: Set<MemoryReads.Read> = []
    var recorder: MemoryReads?
  }

  private func read(_ bytes: ByteView, recording reads: MemoryReads? = nil) throws -> Walked {
    let parsed = try MemoryReads.$current.withValue(reads) {
      try FormatRegistry.builtIn.reports(in: bytes)
    }
    guard let report = parsed.first, parsed.count == 1 else { throw DumpScrubError.notADump }
    var walked = Walked(parsed: report, report: report, recorder: reads)
    walked.parseReads = reads?.take() ?? []
    walked.report = try symbolicator.symbolicate(report)
    walked.walkReads = reads?.take() ?? []
    return walked
  }

  /// Returns the memory read to unwind some threads.
  private func walk(_ dump: Walked, threads: Set<UInt64>) throws -> Set<MemoryReads.Read> {
    var report = dump.parsed
    for index in report.threads.indices where !threads.contains(report.threads[index].id ?? 0) {
      report.threads[index].registers = []
    }
    // Discards reads made by the plan.
    _ = dump.recorder?.take()
    _ = try symbolicator.symbolicate(report)
    return dump.recorder?.take() ?? []
  }

  private func signature(of dump: Walked) -> Signature {
    signer.signature(of: dump.report, app: dump.report.appName)
  }
}

/// Why a dump was not scrubbed.
public enum DumpScrubError: Error {
  case notADump
  /// A result differs, however much is kept.
  case differs(String)
}

/// Counts of the parts that were removed from a dump.
public struct ScrubbedDump: Sendable {
  /// The size of the file.
  public var size = 0
  /// The bytes of the process's memory in the dump.
  public var memoryBytes = 0
  public var keptMemoryBytes = 0
  /// The number of registers with a value.
  public var registers = 0
  public var keptRegisters = 0
  /// The number of texts in which something was overwritten.
  public var maskedTexts = 0
  /// Parts that were removed completely: `environment`.
  public var removedParts: [String] = []
  /// Whether the signature contained something that was overwritten.
  public var changesSignature = false
}
