internal import Bytes
internal import CrashModel
internal import Identifiers

extension AppleTextParser {
  /// Joins the parts into the report and consumes the parser.
  mutating func finished() -> CrashReport {
    finish()
    return report
  }

  private mutating func finish() {
    if var header { takeOver(header.finished()) }
    finishVersion()
    finishTimes()
    finishSamples()
    var joiner = AppleImageJoiner(
      images: report.images, reportedNames: reportedNames, frameNames: imageNames)
    report.threads = threads.map { thread in
      var result = thread.thread
      result.frames = joiner.join(thread.frames)
      return result
    }
    let exceptionStack = joiner.join(exceptionFrames)
    report.otherStacks = otherStacks.map {
      NamedStack(title: $0.title, frames: joiner.join($0.frames))
    }
    report.images = joiner.images
    if joiner.isFull { reach(AppleLimits.images, of: "images") }
    finishReason(exceptionStack)
    finishKind()
    finishCrashedThread()
    finishNotes()
    if report.process.name == nil, !listsProcesses, let program = Self.program(report.images) {
      report.process.name = program.name
      report.process.path = program.path
    }
    if report.app.name == nil { report.app.name = report.process.name }
  }

  /// The executable among the images, where no header names it: the first that is neither the
  /// system's nor a library.
  private static func program(_ images: [LoadedImage]) -> LoadedImage? {
    images.first { image in
      guard let path = image.path, path.hasPrefix("/") else { return false }
      return !["/System/", "/usr/", "/Library/"].contains { path.hasPrefix($0) }
        && !path.hasSuffix(".dylib") && path.firstRange(of: ".framework/") == nil
        && path.firstRange(of: "/CoreSimulator/Profiles/") == nil
    }
  }

  /// Adds the facts of the JSON header that the text lacks.
  private mutating func takeOver(_ other: CrashReport) {
    keepFirst(&report.app.name, other.app.name)
    keepFirst(&report.app.identifier, other.app.identifier)
    keepFirst(&report.app.version, other.app.version)
    keepFirst(&report.app.build, other.app.build)
    keepFirst(&report.os.name, other.os.name)
    keepFirst(&report.os.version, other.os.version)
    keepFirst(&report.os.build, other.os.build)
    keepFirst(&report.incident, other.incident)
    for (tag, value) in other.tags { keepTag(tag, value) }
    if timeText == nil { report.time = other.time }
  }

  /// `SHORT (BUILD)` on macOS, in translations and by PLCrashReporter; `BUILD (SHORT)` on iOS up to 14 and by
  /// KSCrash. If only one of the two has a full stop, that is the short one.
  private mutating func finishVersion() {
    guard let version else { return }
    let (first, second) = Self.nameAndGroup(version)
    let one = first == "???" || first.isEmpty ? nil : first
    let two = second == "???" || second?.isEmpty == true ? nil : second
    var isBuildFirst = false
    if let one, let two {
      let dots = (one.contains("."), two.contains("."))
      isBuildFirst = dots.0 == dots.1 ? hasBuildFirst : dots.1
    }
    keepFirst(&report.app.version, isBuildFirst ? two : one)
    keepFirst(&report.app.build, isBuildFirst ? one : two)
  }

  private var hasBuildFirst: Bool {
    guard report.incident != nil, !isTranslation, event == nil else { return false }
    return report.reason.type?.hasPrefix("EXC_") == true && report.os.name != "macOS"
  }

  private mutating func finishTimes() {
    if let timeText {
      report.time = Timestamp(timeText)
      if report.time == nil {
        report.notes.append("The time is unreadable: \(timeText.prefix(64))")
      }
    }
    if let launch = launchTime.flatMap({ Timestamp($0) }), let time = report.time {
      report.process.uptime = launch.seconds(to: time)
    }
  }

  /// Samples list the outermost call first.
  private mutating func finishSamples() {
    for index in threads.indices where isSample || event != nil || spindump.isOne {
      threads[index].frames.reverse()
      if let first = threads[index].frames.indices.first {
        threads[index].frames[first].frame.position = .exact
      }
    }
    guard isSample else { return }
    // The leaks tool numbers frames from the outermost down to 0.
    for index in otherStacks.indices { otherStacks[index].frames.reverse() }
    if threads.isEmpty, !otherStacks.isEmpty {
      let first = otherStacks.removeFirst()
      threads.append(
        AppleTextThread(thread: CrashThread(index: 0, name: first.title), frames: first.frames))
    }
  }

  private mutating func finishReason(_ exceptionStack: [Frame]) {
    if let codes = exceptionCodes {
      keepTag(.exceptionCodes, codes)
      takeCodes(codes)
    }
    report.reason.applyApplicationInformation(information)
    keepFirst(&report.reason.message, exceptionMessage)
    keepFirst(&report.reason.message, terminationMessage)
    keepTag(.terminationReason, terminationLines.first)
    if !exceptionStack.isEmpty {
      var exception = report.reason.exception ?? LanguageException()
      exception.frames = exceptionStack
      report.reason.exception = exception
    } else if report.reason.exception != nil,
      let index = report.otherStacks.firstIndex(where: {
        $0.title.hasPrefix("Application Specific Backtrace")
      })
    {
      // macOS up to 11 prints the stack of the exception under this heading.
      report.reason.exception?.frames = report.otherStacks.remove(at: index).frames
    }
    if report.reason.message == nil { report.reason.message = report.reason.exception?.message }
    if isPanic {
      AppleKernelPanic(text: panicText).apply(to: &report)
      keepFirst(&report.time, panicTime)
    }
  }

  /// `0x0000000000000001, 0x0000000000000008`, `KERN_INVALID_ADDRESS at 0x8`, `0x8badf00d`.
  private mutating func takeCodes(_ codes: String) {
    let numbers = codes.split(separator: ",").map { word -> UInt64? in
      let digits = word.drop { $0 == " " }.prefix { $0 != " " }
      return digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : nil
    }
    guard let code = numbers.first ?? nil else {
      report.reason.applyAppleCode(codes)
      return
    }
    // KSCrash: `0x00000000 at 0x3618da1c`. Except for an access, 0 means none.
    if let at = codes.firstRange(of: " at ") {
      let digits = codes[at.upperBound...].drop { $0 == " " }
      let address = digits.hasPrefix("0x") ? UInt64(digits.dropFirst(2), radix: 16) : nil
      if let address, address > 0 || report.reason.type == "EXC_BAD_ACCESS" {
        keepFirst(&report.reason.address, Address(address))
      }
    }
    if report.reason.type == "EXC_BAD_ACCESS" {
      keepFirst(&report.reason.code, AppleNames.badAccessCode(code))
      if numbers.count > 1, let address = numbers[1] {
        keepFirst(&report.reason.address, Address(address))
      }
    } else if report.reason.type?.allSatisfy({ $0.isNumber }) == true {
      // iOS up to 5 put the code of a termination here, under a number for its type.
      keepTag(.terminationCode, code.hexadecimal)
    }
  }

  private mutating func finishKind() {
    if let event {
      keepFirst(&report.reason.type, event)
      keepFirst(&report.reason.message, eventDetail)
      let isHang = ["hang", "Hang", "spin", "Spin"].contains { event.firstRange(of: $0) != nil }
      report.kind = isHang ? .hang : .other
    } else if isStackshot {
      keepFirst(&report.reason.message, eventDetail)
      report.kind = .hang
    } else if isSample {
      report.kind = isLeaks ? .other : .hang
      keepFirst(&report.reason.type, isLeaks ? "leaks" : "sample")
      keepFirst(&report.reason.message, eventDetail)
    } else if spindump.isOne {
      report.kind = .hang
      keepFirst(&report.reason.type, "spindump")
      keepFirst(&report.reason.message, eventDetail)
    }
  }

  private mutating func finishNotes() {
    if spindump.others > 0 {
      let others = spindump.others
      report.notes.append(
        others == 1
          ? "The stacks of another process are not read."
          : "The stacks of \(others) other processes are not read.")
    }
    let hasStack =
      report.threads.contains { !$0.frames.isEmpty } || !report.otherStacks.isEmpty
      || report.reason.exception?.frames.isEmpty == false
    if !hasStack, !isPanic { report.notes.append("The report has no stack.") }
  }

  private mutating func finishCrashedThread() {
    guard !isPanic else { return }
    report.crashedThread =
      report.threads.firstIndex { $0.crashed }
      ?? namedThread.flatMap { number in report.threads.firstIndex { $0.index == number } }
    // If the report is not about a crash, the stack that it is about comes first.
    if report.crashedThread == nil, !report.threads.isEmpty,
      event != nil || isSample || spindump.isOne
    {
      let hasHeaviest = report.threads[0].name == "heaviest stack"
      let main = report.threads.firstIndex { $0.name == "com.apple.main-thread" }
      report.crashedThread = hasHeaviest ? 0 : main ?? 0
    }
    if let crashed = report.crashedThread { report.threads[crashed].crashed = true }
  }
}
