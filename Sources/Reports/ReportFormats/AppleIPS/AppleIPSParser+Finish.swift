internal import Bytes
internal import CrashModel
internal import Identifiers

extension AppleIPSParser {
  /// Joins the parts into the report and consumes the parser.
  mutating func finished() -> CrashReport {
    finish()
    return report
  }

  private mutating func finish() {
    if frameCount > AppleLimits.frames { reach(AppleLimits.frames, of: "frames") }
    joinFramesAndImages()
    finishIdentity()
    finishCrashedThread()
    finishReason()
    if let bugType { report.tags[.bugType] = bugType }
    if let resource {
      resource.apply(to: &report)
    } else if let panic {
      panic.apply(to: &report)
    } else if isSimulated {
      report.kind = .handled
      report.notes.append("The process went on after this report.")
    } else if !hasThreads && exceptionType == nil {
      report.kind = Self.kind(ofBugType: bugType)
      if report.kind != .crash {
        report.notes.append("A report of type \(bugType ?? "unknown") does not describe a crash.")
      }
    }
  }

  /// The kind of a report that has neither threads nor an exception.
  private static func kind(ofBugType type: String?) -> ReportKind {
    switch type {
    case nil, "109", "309": .crash
    case "298": .oom
    case "288", "188", "385": .hang
    default: .other
    }
  }

  private mutating func finishIdentity() {
    keepFirst(&report.incident, headerIncident)
    keepFirst(&report.app.name, headerApp.name ?? headerName ?? report.process.name)
    keepFirst(&report.app.identifier, headerApp.identifier)
    keepFirst(&report.app.version, headerApp.version)
    keepFirst(&report.app.build, headerApp.build)
    // Writers put an empty string where a bundle names no version.
    if report.app.version?.isEmpty == true { report.app.version = nil }
    if report.app.build?.isEmpty == true { report.app.build = nil }
    if let headerSystem {
      let system = OperatingSystem(apple: headerSystem)
      keepFirst(&report.os.name, system.name)
      keepFirst(&report.os.version, system.version)
      keepFirst(&report.os.build, system.build)
    }
    report.time = captureTime.flatMap { Timestamp($0) } ?? headerTime.flatMap { Timestamp($0) }
    if report.time == nil, let text = captureTime ?? headerTime {
      report.notes.append("The time is unreadable: \(text.prefix(64))")
    }
    if let launch = launchTime.flatMap({ Timestamp($0) }), let time = report.time {
      report.process.uptime = launch.seconds(to: time)
    }
  }

  private mutating func finishCrashedThread() {
    let threads = report.threads.indices
    if let faultingThread, threads.contains(faultingThread) {
      report.crashedThread = faultingThread
    } else {
      report.crashedThread = report.threads.firstIndex { $0.crashed }
      if report.crashedThread == nil, let triggeredThread, threads.contains(triggeredThread) {
        report.crashedThread = triggeredThread
      }
    }
    guard let crashed = report.crashedThread else { return }
    for index in threads { report.threads[index].crashed = index == crashed }
    if report.threads[crashed].name == nil { report.threads[crashed].name = triggeredName }
  }

  private mutating func finishReason() {
    report.reason.type = exceptionType
    if let exceptionSubtype { report.reason.applyAppleCode(exceptionSubtype) }
    if exceptionType == "EXC_BAD_ACCESS" {
      if report.reason.code == nil, let code = rawCodes.first {
        report.reason.code = AppleNames.badAccessCode(code)
      }
      if report.reason.address == nil, rawCodes.count > 1 {
        report.reason.address = Address(rawCodes[1])
      }
    }
    report.reason.applyApplicationInformation(information)
    keepFirst(&report.reason.message, exceptionMessage)
    keepFirst(&report.reason.message, terminationMessage)
    if var exception = namedException {
      exception.type = exception.type ?? report.reason.exception?.type
      exception.message = exception.message ?? report.reason.exception?.message
      report.reason.exception = exception
    }
    if !exceptionStack.isEmpty {
      var exception = report.reason.exception ?? LanguageException()
      exception.frames = exceptionStack
      report.reason.exception = exception
    }
    finishInformationStacks()
    if report.reason.message == nil { report.reason.message = report.reason.exception?.message }
  }

  /// The stacks given as text; the first is the exception's if no other is given.
  private mutating func finishInformationStacks() {
    guard !informationStacks.isEmpty else { return }
    var text = AppleTextParser()
    for (number, stack) in informationStacks.enumerated() {
      let lines = ByteView("Application Specific Backtrace \(number + 1):\n\(stack)".utf8)
      var cursor = AppleLines(lines)
      while let range = cursor.next() {
        let line = AppleLines.bytes(of: range, in: lines.bytes)
        text.take(line, line.trimmed)
      }
    }
    var joiner = AppleImageJoiner(
      images: report.images, reportedNames: [], frameNames: text.imageNames)
    report.otherStacks = text.otherStacks.map {
      NamedStack(title: $0.title, frames: joiner.join($0.frames))
    }
    report.images = joiner.images
    if report.reason.exception != nil, report.reason.exception?.frames.isEmpty == true,
      !report.otherStacks.isEmpty
    {
      report.reason.exception?.frames = report.otherStacks.removeFirst().frames
    }
  }
}

extension Timestamp {
  /// Seconds from here to `later`; `nil` if it is earlier, as after a clock change.
  func seconds(to later: Timestamp) -> Double? {
    let (whole, overflow) = later.seconds.subtractingReportingOverflow(seconds)
    let part = Double(later.nanoseconds) - Double(nanoseconds)
    let sum = Double(whole) + part / 1_000_000_000
    return overflow || sum < 0 ? nil : sum
  }
}
