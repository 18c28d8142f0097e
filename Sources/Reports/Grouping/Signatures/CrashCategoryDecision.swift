internal import Bytes
internal import CrashModel

/// The category of a crash, the stack that shows it, and the text before the functions in its signature.
struct CrashCategoryDecision {
  var category: SignatureCategory
  /// The first tokens of the text.
  var leadingTokens: [String] = []
  var stack: Stack
  /// The source of the stack, for display.
  var stackName: String
  /// Whether the leading tokens describe the fault, so that only the app's frames count.
  var hasWords = false
  /// Whether the leading tokens alone are the signature.
  var isComplete = false
  /// The program's message, for reports without a better frame.
  var message: String?
  var steps: [SignatureStep] = []

  /// Frames of a report, without a copy.
  typealias Stack = ArraySlice<Frame>

  /// The frames of ``stack``, classified.
  var frames: [ClassifiedFrame] = []
  var isCrashedStack = true
  /// Whether ``frames`` are those of a stack that was chosen in place of the crashed one.
  private(set) var isClassified = false
  /// The text of a stack that only waits for events.
  var idleText = "idle main thread"

  // Borrowed, as a report that is taken over is copied.
  init(_ report: borrowing CrashReport, classifier: FrameClassifier, images: inout ImageOwners) {
    (stack, stackName) = Self.crashedStack(of: report)
    frames = classifier.classify(stack, images: &images)
    category = .signal
    // Sanitizers, and kernels, describe the fault; only programs speak of themselves.
    message =
      report.format == .sanitizer ? nil : report.spokenMessage(classifier.rules)
    decideCategory(report, classifier, &images)
    if !isCrashedStack, !isClassified {
      frames = classifier.classify(stack, images: &images)
    }
  }

  /// Whether images of frames are missing, as in a truncated report.
  var lacksImages: Bool {
    let span = stack.span
    for index in span.indices where span[index].image == nil && span[index].imageOffset != nil {
      return true
    }
    return false
  }

  /// The choice of the stack.
  var stackStep: SignatureStep {
    SignatureStep(
      subject: "stack", result: Scrubbing.scrub(stackName, limit: SigningLimits.tokenBytes).text,
      rule: "category \(category.rawValue)")
  }

  mutating func decide(
    _ category: SignatureCategory, _ tokens: [String] = [], by subject: String, _ value: String?
  ) {
    self.category = category
    leadingTokens += tokens
    steps.append(
      SignatureStep(
        subject: subject,
        result: Scrubbing.scrub(value ?? category.rawValue, limit: SigningLimits.tokenBytes).text,
        rule: "category \(category.rawValue)", used: !tokens.isEmpty))
  }

  // MARK: The order of the categories

  /// Decides by the first category that fits; each sets the text before the functions, and the stack.
  private mutating func decideCategory(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) {
    if decideKernelCrash(report) { return }
    if decideGoRace(report) { return }
    if decideHandledError(report, classifier, &images) { return }
    if decideSnapshot(report) { return }
    if decideOutOfMemory(report) { return }
    if decideWatchdog(report, classifier, &images) { return }
    if decideHang(report) { return }
    if decideStackOverflow(report) { return }
    if decidePanic(report, classifier, &images) { return }
    if decideAssertion(report, classifier, &images) { return }
    if decideException(report, classifier, &images) { return }
    if decideAbort(report) { return }
    decideSignal(report)
  }

  private mutating func decideHandledError(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) -> Bool {
    guard report.kind == .handled else { return false }
    decide(.handled, ["handled"], by: "kind", report.kind.rawValue)
    switchToRootCause(report, classifier, &images, withClass: true)
    return true
  }

  /// Handles a measurement or a snapshot of a process that continued; a kernel panic is a crash.
  private mutating func decideSnapshot(_ report: CrashReport) -> Bool {
    guard report.kind == .other, report.process.name != "kernel" else { return false }
    decide(.signal, [Self.measured(report) ?? "no crash"], by: "kind", report.kind.rawValue)
    return true
  }

  private mutating func decideHang(_ report: CrashReport) -> Bool {
    let isSanitizer = report.format == .sanitizer
    guard report.kind == .hang || report.reason.type == "timeout" && isSanitizer else {
      return false
    }
    decide(.hang, ["hang"], by: "kind", report.kind.rawValue)
    if !isSanitizer { switchToMainThread(report) }
    switchToLockHolder(report)
    return true
  }

  private mutating func decideAbort(_ report: CrashReport) -> Bool {
    guard report.reason.signal == "SIGABRT" else { return false }
    decide(.abort, by: "reason.signal", report.reason.signal)
    return true
  }

  private mutating func decideSignal(_ report: CrashReport) {
    decide(.signal, by: "reason", report.reason.signal ?? report.reason.type)
    if report.format == .sanitizer, let kind = Self.sanitizerKind(report) {
      leadingTokens.append(kind)
    }
  }

  /// A leak or a race is not a crash: it must not share a group with a crash in the same function.
  private static func sanitizerKind(_ report: CrashReport) -> String? {
    let type = report.reason.type ?? ""
    if type.hasPrefix("detected memory leaks") || report.tags[.leak] != nil { return "leak" }
    guard report.tags[.sanitizer] == "ThreadSanitizer", report.reason.signal == nil else {
      return nil
    }
    let text = MessageParameters.parameterised(type)
    return text.isEmpty ? nil : text
  }

  // MARK: Memory

  private static let allocationTypes: Set<String> = [
    "out-of-memory", "allocation-size-too-big", "rss-limit-exceeded", "calloc-overflow",
    "reallocarray-overflow", "pvalloc-overflow",
  ]

  private mutating func decideOutOfMemory(_ report: CrashReport) -> Bool {
    let reason = report.reason
    if report.kind == .oom {
      decide(.oom, by: "kind", report.kind.rawValue)
    } else if report.tags[.terminationNamespace] == "JETSAM" {
      decide(.oom, by: "termination.namespace", "JETSAM")
    } else if reason.type == "EXC_RESOURCE",
      Self.mentionsMemory(reason.code) || Self.mentionsMemory(reason.message)
    {
      decide(.oom, by: "reason.type", reason.type)
    } else if report.format == .sanitizer, let type = reason.type,
      Self.allocationTypes.contains(type)
    {
      decide(.oom, by: "reason.type", type)
    } else if let type = reason.exception?.type, Self.isMemoryException(type) {
      decide(.oom, by: "reason.exception", type)
    } else if let size = report.tags[.allocationSize] {
      decide(.oom, by: ReportTag.allocationSize.description, size)
    } else if let marker = memoryMarker() {
      decide(.oom, by: marker.token, marker.rule)
    } else {
      return false
    }
    if let frames = reason.exception?.frames, !frames.isEmpty {
      isCrashedStack = false
      stack = frames[...]
    }
    guard let size = Self.allocationSize(report) else {
      leadingTokens.append("OOM")
      return true
    }
    isComplete = size <= SigningLimits.smallAllocation
    leadingTokens.append(isComplete ? "OOM small" : "OOM large")
    return true
  }

  private static func mentionsMemory(_ text: String?) -> Bool {
    text.map {
      $0.utf8.count < SigningLimits.messageBytes
        && ($0.containsBytes(of: "MEMORY") || $0.containsBytes(of: "memory"))
    }
      ?? false
  }

  private static func isMemoryException(_ type: String) -> Bool {
    let name = type.split(separator: ".").last.map(String.init) ?? type
    return name == "OutOfMemoryError" || name == "OutOfMemoryException"
      || name == "InsufficientMemoryException" || name == "NSMallocException"
      || type == "std::bad_alloc"
  }

  private func memoryMarker() -> (token: String, rule: String)? {
    // The markers are the last steps before the end, so they are on top.
    for index in 0..<min(frames.count, 16) {
      if frames[index].isOfMemory, let rule = frames[index].spelling.memoryRule {
        return (frames[index].token, rule.text)
      }
    }
    return nil
  }

  /// The number of bytes requested, from the tag or from the message.
  private static func allocationSize(_ report: CrashReport) -> UInt64? {
    if let tag = report.tags[.allocationSize] {
      return number(Scrubbing.scrub(tag, limit: 64), 0)
    }
    guard let message = report.reason.message else { return nil }
    let bytes = Scrubbing.scrub(message, limit: SigningLimits.messageBytes)
    for words: StaticString in [
      "requested allocation size ", "failed to allocate ", "memory allocation of ",
      "Failed to allocate a ",
      "could not allocate ", "unable to allocate ", "can't allocate region of ",
    ] {
      if let position = bytes.find(words),
        let size = number(bytes, position + words.utf8CodeUnitCount)
      {
        return size
      }
    }
    return nil
  }

  static func number(_ bytes: NameBytes, _ start: Int) -> UInt64? {
    let isHex = bytes.has("0x", at: start)
    var index = isHex ? start + 2 : start
    let first = index
    var value: UInt64 = 0
    while isHex ? bytes.at(index).isHexDigit : bytes.at(index).isDigit {
      let byte = bytes[index]
      let digit = byte.isDigit ? byte - 0x30 : (byte | 0x20) - 0x61 + 10
      let (product, overflow) = value.multipliedReportingOverflow(by: isHex ? 16 : 10)
      value = overflow ? .max : product.addingReportingOverflow(UInt64(digit)).partialValue
      index += 1
    }
    return index > first ? value : nil
  }

  // MARK: Threads

  static func crashedIndex(of report: CrashReport) -> Int? {
    if let index = report.crashedThread, report.threads.indices.contains(index) { return index }
    if let index = report.threads.firstIndex(where: { $0.crashed }) { return index }
    return report.threads.count == 1 ? 0 : nil
  }

  private static func crashedStack(of report: CrashReport) -> (Stack, String) {
    guard let index = crashedIndex(of: report) else {
      return ([], "the report does not say which thread it is about")
    }
    return (
      report.threads[index].frames[...],
      "thread \(report.threads[index].index)\(report.threadClause)"
    )
  }

  static func mainThread(of report: CrashReport) -> Int? {
    report.threads.firstIndex {
      $0.name.map { $0.containsBytes(of: "com.apple.main-thread") || $0 == "main" } ?? false
    }
      ?? report.threads.firstIndex { $0.index == 0 } ?? report.threads.indices.first
  }

  mutating func switchToMainThread(_ report: CrashReport) {
    guard let index = Self.mainThread(of: report) else { return }
    isCrashedStack = false
    stack = report.threads[index].frames[...]
    stackName = "thread \(report.threads[index].index), the main thread"
  }

  /// The thread that holds the lock for which the chosen one waits, if the report shows it: the tag
  /// `lock.holder` is an index into the threads. The wait remains the first token.
  mutating func switchToLockHolder(_ report: CrashReport) {
    guard let holder = report.tags[.lockHolder].flatMap({ Int($0) }),
      report.threads.indices.contains(holder)
    else { return }
    if let frame = stack.first, let raw = frame.function ?? frame.symbol {
      let token = NameNormaliser.normalise(raw)
      if !token.isEmpty { leadingTokens.append(token.text) }
    }
    isCrashedStack = false
    stack = report.threads[holder].frames[...]
    stackName = "thread \(report.threads[holder].index), which holds the lock"
  }

  // MARK: Exceptions and assertions

  /// The exception of the chain whose stack is used: the innermost with a frame of the app, or the innermost
  /// with frames, or the innermost. If an exception has several causes, the first counts, with its own
  /// causes.
  private static func rootCause(
    _ exception: LanguageException, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) -> (exception: LanguageException, frames: [ClassifiedFrame]?) {
    // Each after its causes.
    var chain: [LanguageException] = []
    var open = [(exception: exception, next: 0)]
    var count = 1
    while let last = open.popLast() {
      guard last.next < last.exception.inner.count, count < SigningLimits.causes else {
        chain.append(last.exception)
        continue
      }
      open.append((last.exception, last.next + 1))
      open.append((last.exception.inner[last.next], 0))
      count += 1
    }
    // An exception with frames of a bundled library only, used if no other has more.
    var library: (exception: LanguageException, frames: [ClassifiedFrame]?)?
    for cause in chain where !cause.frames.isEmpty {
      let frames = classifier.classify(cause.frames[...], images: &images)
      guard let first = frames.first(where: { $0.frameClass == .app }) else { continue }
      if first.packageRule == nil { return (cause, frames) }
      library = library ?? (cause, frames)
    }
    return library ?? (chain.first { !$0.frames.isEmpty } ?? chain.first ?? exception, nil)
  }

  /// Chooses the stack of the exception that counts.
  ///
  /// - Parameter withClass: Whether its class is part of the text.
  /// - Returns: The exception of the chain that counts.
  @discardableResult
  mutating func switchToRootCause(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners,
    withClass: Bool
  ) -> LanguageException? {
    guard let exception = report.reason.exception else { return nil }
    let (cause, causeFrames) = Self.rootCause(exception, classifier, &images)
    if withClass, let name = cause.type.flatMap(Self.className) { leadingTokens.append(name) }
    message = cause.message ?? message
    guard !cause.frames.isEmpty else { return cause }
    isCrashedStack = false
    if let causeFrames { frames = causeFrames }
    isClassified = causeFrames != nil
    stack = cause.frames[...]
    stackName = "the stack on which \(cause.type ?? "the exception") was thrown"
    return cause
  }

  /// An exception's class without the numbers of anonymous classes.
  static func className(_ type: String) -> String? {
    var name = Scrubbing.scrub(type, limit: SigningLimits.nameBytes)
    if name.find("::") == nil { name = ManagedName.java(name) }
    Scrubbing.shorten(&name, to: SigningLimits.tokenBytes)
    return name.isEmpty ? nil : name.text
  }

  private static let spokenTypes: Set<String> = [
    "EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION", "EXC_CRASH", "EXC_GUARD", "Fatal error", "Aborted",
    "Trap",
    "Illegal instruction",
  ]

  private mutating func decideAssertion(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) -> Bool {
    let reason = report.reason
    if let exception = reason.exception, Self.isObjectiveC(exception, report) {
      decide(.assertion, ["assert"], by: "reason.exception", exception.type)
      switchToRootCause(report, classifier, &images, withClass: false)
      var token = exception.type.flatMap(Self.className) ?? ""
      if let text = (exception.message ?? reason.message).flatMap({
        AssertionText($0, classifier.rules).text
      }) {
        token += token.isEmpty ? text : ": " + text
        hasWords = true
      }
      if !token.isEmpty { leadingTokens.append(token) }
      message = nil
      return true
    }
    if reason.message?.isEmpty != false { return false }
    let spoken = report.spokenMessage(classifier.rules)
    if spoken == nil, let message = reason.message, let rule = report.crumb(classifier.rules) {
      steps.append(
        SignatureStep(
          subject: Scrubbing.scrub(message, limit: SigningLimits.tokenBytes).text,
          result: "not used", rule: rule))
    }
    guard reason.exception == nil, report.format != .sanitizer, let message = spoken,
      Self.thrownClass(message) == nil
    else { return false }
    var assertion = AssertionText(message, classifier.rules)
    let location = report.tags[.checkLocation]
    if let location {
      assertion = AssertionText(Self.withoutValues(message), classifier.rules)
      // A location without a stack is the only frame.
      if stack.contains(where: { $0.function != nil || $0.image != nil }) {
        assertion.file = AssertionText.fileName(String(location.prefix { $0 != ":" }))
      }
    }
    let isSpoken =
      location != nil || reason.signal == nil && reason.type == nil
      || reason.signal.map { ["SIGABRT", "SIGTRAP", "SIGILL", "SIGQUIT"].contains($0) } ?? false
      || reason.type.map { Self.spokenTypes.contains($0) } ?? false
    guard assertion.text != nil, isSpoken || assertion.file != nil else {
      if let rule = AssertionText.genericRule(message, classifier.rules) {
        steps.append(
          SignatureStep(
            subject: Scrubbing.scrub(message, limit: SigningLimits.tokenBytes).text,
            result: "not used",
            rule: rule))
      }
      return false
    }
    decide(.assertion, ["assert"], by: "reason.message", message)
    leadingTokens.append(
      [assertion.file, assertion.text].compactMap { $0 }.joined(separator: ": "))
    hasWords = true
    self.message = nil
    return true
  }

  /// `a > b (-1 vs. 0) more` without the values that were compared.
  private static func withoutValues(_ message: String) -> String {
    let bytes = NameBytes(message.utf8)
    guard let versus = bytes.find(" vs. "),
      let open = NameBytes(bytes[..<versus]).findLast(" (")
    else { return message }
    return NameBytes(bytes[..<open]).text
  }

  private static func isObjectiveC(_ exception: LanguageException, _ report: CrashReport) -> Bool {
    let isApple = report.format == .appleIPS || report.format == .appleCrash
    guard let type = exception.type else { return isApple }
    // React Native's exceptions from JavaScript.
    if let frame = exception.frames.first, frame.address == nil, frame.file != nil { return false }
    // Classes of other languages are written with their packages or namespaces.
    return !type.containsBytes(of: ".") && !type.containsBytes(of: "::")
      && (isApple || type.hasPrefix("NS"))
  }

  /// The class that the C++ runtimes name when nothing catches an exception.
  private static func thrownClass(_ message: String) -> String? {
    let bytes = Scrubbing.scrub(message, limit: SigningLimits.messageBytes)
    if let position = bytes.find("throwing an instance of '") {
      let name = bytes.from(position + 25)
      return name.firstIndex(of: UInt8(ascii: "'")).map { Array(name[..<$0]).text }
    }
    guard let position = bytes.find("uncaught exception of type ") else { return nil }
    var name = bytes.from(position + 27)
    if let end = name.find(": ") { name.cut(at: end) }
    return name.text
  }

  private mutating func decideException(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) -> Bool {
    if report.reason.exception != nil, !hasOwnStack(report) {
      decide(.exception, by: "reason.exception", report.reason.exception?.type)
      switchToRootCause(report, classifier, &images, withClass: true)
      return true
    }
    guard report.format != .sanitizer, let type = report.reason.message.flatMap(Self.thrownClass),
      let name = CxxName.normalise(Scrubbing.scrub(type, limit: SigningLimits.nameBytes))
    else { return false }
    decide(.exception, [name.text], by: "reason.message", type)
    message = nil
    return true
  }
}
