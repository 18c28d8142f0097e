public import Bytes
internal import CrashModel
internal import Files
public import Grouping
internal import ReportFormats
public import Scrubbing
public import Symbolication

/// Takes out of a dump all memory, registers and texts that its stacks and its reason do not need, and proves
/// that these are as they were.
///
/// A dump is walked while every read of its memory is recorded. The bytes that were read, and the lists that
/// describe the dump, are written to a file of the same size; everything else of it is zero. That file is read
/// and walked again. Where a thread's stack is not the same, more of what its walk read is kept: first only
/// what can be addresses, then every word, then every register.
public struct DumpScrubber {
  private let symbolicator: Symbolicator
  private let signer: Signer
  private let mask: DumpTextMask
  private let keepsRegisters: Bool

  /// - Parameters:
  ///   - scrubber: The rules for texts that stay.
  ///   - keepsRegisters: Whether all registers stay, whatever they hold.
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
  ///   - path: Where the new one is put. Nothing is there before it is proved.
  /// - Throws: ``DumpScrubError``, ``ParseError``, `FileError`; what a source of debug files throws that cannot
  ///   tell.
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

  /// A dump that was read and walked, and what was read of its memory for that.
  struct Walked {
    var parsed: CrashReport
    var report: CrashReport
    /// Before the stacks were walked.
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

  /// What the walk of some threads reads.
  private func walk(_ dump: Walked, threads: Set<UInt64>) throws -> Set<MemoryReads.Read> {
    var report = dump.parsed
    for index in report.threads.indices where !threads.contains(report.threads[index].id ?? 0) {
      report.threads[index].registers = []
    }
    // What the plan looked at.
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
  /// Something is not as it was, however much is kept.
  case differs(String)
}

/// Counts of the parts that were removed from a dump.
public struct ScrubbedDump: Sendable {
  /// Of the file.
  public var size = 0
  /// Of the process's memory in the dump.
  public var memoryBytes = 0
  public var keptMemoryBytes = 0
  /// Registers that held something.
  public var registers = 0
  public var keptRegisters = 0
  /// Texts in which something was overwritten.
  public var maskedTexts = 0
  /// Parts that were removed whole: `environment`.
  public var removedParts: [String] = []
  /// Whether the signature named something that was overwritten.
  public var changesSignature = false
}
