internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a text report line by line.
///
/// Each line is read once, in order; headings determine the meaning of the following lines. Frames and images
/// are joined in ``finished()``, because the images come last.
struct AppleTextParser {
  /// The part that the next line belongs to.
  enum Block: Equatable {
    case header
    /// `Application Specific Information:`, up to a blank line.
    case information
    /// The text of a termination below its header, or `Dyld Error Message:`; up to a blank line.
    case termination
    case thread(Int)
    case exception
    case other(Int)
    /// Addresses in parentheses under `Last Exception Backtrace:`.
    case addresses
    case registers(Int)
    case images
    /// `Heaviest stack …:`, outermost first.
    case heaviestStack(Int)
    /// A tree of calls with counts, of which ``path`` is followed.
    case callTree(Int)
    case unread
  }

  var report = CrashReport(format: .appleCrash)
  var block = Block.header
  /// The JSON header line before the text.
  var header: AppleIPSParser?
  var threads: [AppleTextThread] = []
  var exceptionFrames: [AppleTextFrame] = []
  var otherStacks: [AppleTextStack] = []
  var imageNames: [String] = []
  var imageNameIndices: [String: Int] = [:]
  var lastImageName: (text: String, index: Int?)?
  /// The report's name of each image, besides that of its path.
  var reportedNames: [String] = []
  /// The first image at each address: some writers list an image twice.
  var imagesByBase: [UInt64: Int] = [:]
  var information: [String] = []
  /// How far the heading above ``information`` is indented.
  var indentation = 0
  var frameCount = 0
  var reachedLimits: Set<String> = []
  var threadNames: [Int: String] = [:]
  /// The last thread with each number.
  var threadIndices: [Int: Int] = [:]
  var namedThread: Int?
  var afterBlank = false
  /// Whether the next frame that is not inlined is the youngest.
  var isYoungest = true
  var lastFrameIndex: Int?
  var version: String?
  var launchTime: String?
  var timeText: String?
  var exceptionCodes: String?
  var exceptionMessage: String?
  /// The text after the code of a termination.
  var terminationText: String?
  /// The lines below the code of a termination.
  var terminationLines: [String] = []
  var event: String?
  var eventDetail: String?
  var isTranslation = false
  var hasExceptionType = false
  var isSample = false
  var isStackshot = false
  var isLeaks = false
  var spindump = AppleSpindump()
  var path = AppleCallPath()
  var isPanic = false
  var panicText = ""
  /// The time above a panic, which has no key.
  var panicTime: Timestamp?

  /// Whether anything of a report has been read.
  var hasContent: Bool {
    !threads.isEmpty || !report.images.isEmpty || hasExceptionType || report.process.name != nil
      || event != nil || !otherStacks.isEmpty || isPanic || report.incident != nil
  }

  /// Whether the report's stacks have begun, so that a new head begins another report.
  var isPastHead: Bool {
    isPanic || !threads.isEmpty || !report.images.isEmpty || !otherStacks.isEmpty
      || !exceptionFrames.isEmpty
  }

  /// Whether the report is of a kind that lists many processes under separate heads.
  var listsProcesses: Bool { event != nil || isSample || isStackshot || spindump.isOne }

  /// Takes the next line.
  ///
  /// - Parameters:
  ///   - whole: The line with its indentation, without its end.
  ///   - line: The line without blanks at either end.
  mutating func take(_ whole: RawSpan, _ line: RawSpan) {
    guard line.byteCount > 0 else {
      takeBlank()
      return
    }
    defer { afterBlank = false }
    if isPanic {
      takePanic(line)
      return
    }
    if takeHeading(line) {
      if block == .information { indentation = whole.skippingBlanks(from: 0) }
      return
    }
    switch block {
    case .information:
      takeInformation(whole, line)
    case .termination:
      if !takeTermination(line: line) {
        block = .header
        _ = takeHeader(line)
      }
    case .thread, .exception, .other:
      if !takeFrame(line) { _ = takeHeader(line) }
    case .addresses:
      if !takeAddresses(line) { _ = takeHeader(line) }
    case .registers(let thread):
      if !takeRegisters(line, thread) { _ = takeHeader(line) }
    case .images:
      if !takeImage(line) {
        block = .unread
        _ = takeHeader(line)
      }
    case .heaviestStack, .callTree:
      if !takeCall(whole, line) {
        // spindump describes a thread in angle brackets above its calls.
        if line.byte(0) != UInt8(ascii: "<") { block = .unread }
        _ = takeHeader(line)
      }
    case .header, .unread:
      if !takeHeader(line) { takeUnmarked(whole, line) }
    }
  }

  private mutating func takeBlank() {
    afterBlank = true
    switch block {
    case .information where !information.isEmpty: block = .header
    case .termination: block = .header
    case .registers: block = .unread
    case .addresses where !exceptionFrames.isEmpty: block = .unread
    default: break
    }
  }

  /// All lines after the first one of a panic belong to it: each kernel prints others.
  private mutating func takePanic(_ line: RawSpan) {
    guard panicText.utf8.count + line.byteCount < AppleLimits.panicBytes else {
      reach(AppleLimits.panicBytes, of: "bytes of the panic")
      return
    }
    panicText += line.text
    panicText += "\n"
  }

  private mutating func takeInformation(_ whole: RawSpan, _ line: RawSpan) {
    guard information.count < AppleLimits.textLines else {
      reach(AppleLimits.textLines, of: "lines of application-specific information")
      return
    }
    guard let range = whole.byteOffsets(of: line) else { return }
    // The indentation of the whole report is not part of the text.
    let start = min(indentation, range.lowerBound)
    information.append(whole.part(start..<range.upperBound).text)
  }

  /// Lines that belong to no block: the call trees of resource reports have no heading.
  private mutating func takeUnmarked(_ whole: RawSpan, _ line: RawSpan) {
    if event != nil || spindump.isOne, spindump.isTarget, threads.isEmpty,
      AppleCallLine(whole) != nil
    {
      threads.append(AppleTextThread(thread: CrashThread(index: 0, name: "heaviest stack")))
      block = .callTree(0)
      path = AppleCallPath()
      _ = takeCall(whole, line)
    } else if isStackshot, line.has("user: 0x"), let last = threads.indices.last {
      takeStackshotAddresses(line, last)
    } else if line.has("Application main thread deadlocked"), !isPastHead {
      // KSCrash writes it in place of an exception.
      keepFirst(&exceptionMessage, line.text)
      report.kind = .hang
    }
  }

  /// Adds one note that a limit was reached.
  mutating func reach(_ limit: Int, of what: String) {
    guard reachedLimits.insert(what).inserted else { return }
    report.notes.append("Only the first \(limit) \(what) are kept.")
  }

  mutating func keepTag(_ tag: ReportTag, _ value: String?) {
    guard let value, !value.isEmpty, report.tags[tag] == nil else { return }
    report.tags[tag] = value
  }
}
