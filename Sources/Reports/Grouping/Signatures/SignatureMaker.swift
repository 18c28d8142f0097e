internal import Bytes
internal import CrashModel
internal import Crypto
internal import Identifiers

/// Makes signatures: crash category, classes, walk, text and key.
struct SignatureMaker: Sendable {
  let rules: RulesVersion
  /// Custom rules, which come after the built-in ones.
  let own: CustomRules?
  let classifier: FrameClassifier

  init(rules: RulesVersion, own: CustomRules?, remembers: Bool) {
    self.rules = rules
    self.own = own
    classifier = FrameClassifier(rules: rules, remembers: remembers)
  }

  func signature(of report: borrowing CrashReport, app: String) -> Signature {
    let parts = KeptParts()
    return withExtendedLifetime(parts) { signature(of: report, app: app, keeping: parts) }
  }

  private func signature(of report: CrashReport, app: String, keeping parts: KeptParts) -> Signature
  {
    let analysed = analyse(report, app, keeping: parts)
    let text = analysed.text(analysed.walk.tokens)
    let alternatives = alternatives(to: text, of: report, app, analysed, keeping: parts)
    let title = analysed.hasStandardText ? title(of: report, analysed, text) : nil
    let unmapped = analysed.unmapped
    var waitsFor: [DebugID] = []
    if let id = analysed.walk.location?.debugID { waitsFor.append(id) }
    for image in unmapped {
      if let id = report.images[image].debugID { waitsFor.append(id) }
    }
    let isProvisional =
      analysed.hasStandardText
      && (analysed.walk.location != nil || !unmapped.isEmpty
        || !analysed.walk.hasApp && analysed.circumstances.lacksImages)
    return Signature(
      text: title.map { "\($0.result) | \(text)" } ?? text, key: key(text, app),
      alternativeKeys: alternatives.map { key($0.text, app) },
      category: analysed.circumstances.category, rules: rules.name,
      isProvisional: isProvisional, waitsFor: waitsFor,
      steps: steps(analysed, title, text, alternatives))
  }

  /// The texts of the same report as other tools read it, each once.
  private func alternatives(
    to text: String, of report: CrashReport, _ app: String, _ analysed: AnalysedReport,
    keeping parts: KeptParts
  ) -> [Reading] {
    var readings = readings(of: analysed)
    if report.format == .swiftBacktraceJSON {
      readings += textReadings(of: report, app, besides: analysed, keeping: parts)
    }
    var alternatives: [Reading] = []
    for reading in readings
    where reading.text != text && !alternatives.contains(where: { $0.text == reading.text }) {
      alternatives.append(reading)
    }
    return alternatives
  }

  /// The images whose mapping would change the names of the functions used.
  private func unmapped(
    _ walk: SignatureWalk, _ circumstances: CrashCategoryDecision, in report: CrashReport
  ) -> [Int] {
    let images = report.images.span
    var isManaged = false
    for index in images.indices where images[index].isManaged { isManaged = true }
    guard isManaged else { return [] }
    let stack = circumstances.stack
    let used = Set(walk.used.compactMap { stack[stack.startIndex + $0].image })
    return used.sorted().filter { index in
      report.images.indices.contains(index) && report.images[index].isManaged
        && report.images[index].symbols?.verdict != .found
    }
  }

  /// A report with its walk, and its walk without inlined calls if that differs.
  struct AnalysedReport {
    let circumstances: CrashCategoryDecision
    let frames: [ClassifiedFrame]
    let walk: SignatureWalk
    let physical: SignatureWalk?
    /// The result of the custom rules, and the facts that they tested.
    let own: (verdict: CustomRuleMatch, facts: RuleContext)?
    /// The tokens as other builds or machines give them, with the rules.
    let alternativeTokens: [(tokens: [String], rule: String)]
    /// The images whose mappings would give functions of the text their names.
    var unmapped: [Int] = []
    /// The builds of those images: short names are those of other functions in each build.
    var build: String?

    var hasStandardText: Bool { own?.verdict.hasStandardText ?? true }

    func text(_ tokens: [String]) -> String {
      var text = (circumstances.leadingTokens + tokens).joined(separator: " | ")
      if let build { text += " [\(build)]" }
      return own.map { $0.verdict.text(text, $0.facts) } ?? text
    }
  }

  private func analyse(
    _ report: borrowing CrashReport, _ app: String, keeping parts: KeptParts
  ) -> AnalysedReport {
    var images = classifier.images(of: report, keeping: parts)
    let circumstances = CrashCategoryDecision(report, classifier: classifier, images: &images)
    var frames = circumstances.frames
    noteHelpers(&frames, circumstances)
    noteHandler(&frames, circumstances, report)
    circumstances.noteKernel(&frames, report)
    noteTests(&frames, keeping: parts)
    let own = applyOwn(to: &frames, circumstances, report, app, &images)
    if let own, !own.verdict.hasStandardText {
      return AnalysedReport(
        circumstances: circumstances, frames: frames, walk: .complete, physical: nil, own: own,
        alternativeTokens: [])
    }
    let limit = own?.verdict.maxFrames?.count
    var walk = walk(frames, circumstances, report, limit: limit)
    if noteOrigin(&frames, walk, circumstances, &images) {
      walk = self.walk(frames, circumstances, report, limit: limit)
    }
    let hasInlined = !circumstances.isComplete && frames[...].firstPosition { $0.isInlined } != nil
    let physical =
      hasInlined
      ? self.walk(frames.filter { !$0.isInlined }, circumstances, report, limit: limit) : nil
    let unmapped = unmapped(walk, circumstances, in: report)
    // Mappings of .NET give lines; its names are always the source's.
    var build: String?
    if !unmapped.isEmpty, walk.namesFunction(of: frames) {
      for image in unmapped where report.images[image].architecture != .cil {
        build = images.build(of: report.images[image])
        if build != nil { break }
      }
    }
    return AnalysedReport(
      circumstances: circumstances, frames: frames, walk: walk, physical: physical, own: own,
      alternativeTokens: alternativeTokens(walk, frames, circumstances.stack, &images),
      unmapped: unmapped, build: build)
  }

  /// Applies the custom rules, if there are any.
  private func applyOwn(
    to frames: inout [ClassifiedFrame], _ circumstances: CrashCategoryDecision,
    _ report: CrashReport,
    _ app: String, _ images: inout ImageOwners
  ) -> (verdict: CustomRuleMatch, facts: RuleContext)? {
    guard let own else { return nil }
    let facts = RuleContext(report, product: app, category: circumstances.category)
    return (apply(own, to: &frames, of: circumstances.stack, facts, &images), facts)
  }

  /// The tokens as other builds or machines give them, with the rules.
  private func alternativeTokens(
    _ walk: SignatureWalk, _ frames: [ClassifiedFrame], _ stack: CrashCategoryDecision.Stack,
    _ images: inout ImageOwners
  ) -> [(tokens: [String], rule: String)] {
    var alternatives: [(tokens: [String], rule: String)] = []
    if let tokens = tokensOfCaller(walk, frames, stack) {
      alternatives.append((tokens, Signature.weakRule))
    }
    if let tokens = tokensWithoutName(walk, stack, &images) {
      alternatives.append((tokens, "without the platform's names"))
    }
    return alternatives
  }

  /// The text of the report as another tool reads it.
  private struct Reading {
    let text: String
    let rule: String

    var step: SignatureStep {
      SignatureStep(subject: Signature.alternativeSubject, result: text, rule: rule)
    }
  }

  /// Without modules of Swift's functions, and without inlined calls.
  private func readings(of analysed: AnalysedReport) -> [Reading] {
    var readings: [Reading] = []
    func add(_ tokens: [String]?, _ rule: String) {
      if let tokens { readings.append(Reading(text: analysed.text(tokens), rule: rule)) }
    }
    if analysed.walk.hasApp { add(analysed.walk.shortTokens, "without Swift's modules") }
    if let physical = analysed.physical, physical.hasApp {
      add(physical.tokens, "without inlined calls")
      add(physical.shortTokens, "without inlined calls and Swift's modules")
    }
    for other in analysed.alternativeTokens { add(other.tokens, other.rule) }
    return readings
  }

  /// The texts of the same backtrace as text, whose names have no modules and no types. Without a function of
  /// the app in either, both identify the bug equally well.
  private func textReadings(
    of report: CrashReport, _ app: String, besides other: AnalysedReport,
    keeping parts: KeptParts
  ) -> [Reading] {
    let analysed = analyse(report.named(asText: FrameClassifier.isSwift), app, keeping: parts)
    let walks: [(SignatureWalk?, String)] = [
      (analysed.walk, "as text"), (analysed.physical, "as text, without inlined calls"),
    ]
    var readings: [Reading] = []
    for (walk, rule) in walks {
      guard let walk, walk.hasApp || !other.walk.hasApp else { continue }
      readings.append(Reading(text: analysed.text(walk.tokens), rule: rule))
    }
    return readings
  }

  /// The first sixteen bytes of the SHA-256 of rules, product and text, in hexadecimal.
  private func key(_ text: String, _ app: String) -> String {
    var bytes = NameBytes()
    bytes.reserveCapacity(app.utf8.count + text.utf8.count + 32)
    bytes.append("mayday-sig")
    for part in [rules.name, app, text] {
      bytes.append(0x1F)
      bytes.append(contentsOf: part.utf8)
    }
    let digest = SHA256.digest(of: unsafe bytes.span.bytes)
    return unsafe String(unsafeUninitializedCapacity: 32) { digits in
      for index in 0..<16 {
        let byte = digest[index]
        unsafe digits[2 * index] = Self.digit(byte >> 4)
        unsafe digits[2 * index + 1] = Self.digit(byte & 15)
      }
      return 32
    }
  }

  private static func digit(_ half: UInt8) -> UInt8 { half < 10 ? 0x30 + half : 0x57 + half }

  /// Functions through which the app reports errors show as little as a crash reporter's.
  private func noteHelpers(
    _ frames: inout [ClassifiedFrame], _ circumstances: CrashCategoryDecision
  ) {
    guard circumstances.category == .handled else { return }
    for index in frames.indices {
      switch frames[index].frameClass {
      case .app:
        guard let rule = rules.handled.match(NameBytes(frames[index].token.utf8)) else { return }
        // The last one counts if there is no other code of the app.
        if !frames[(index + 1)...].contains(where: { $0.frameClass == .app }) { return }
        frames[index].frameClass = .death
        frames[index].ruleName = rule.name
      case .death, .glue, .void: continue
      default: return
      }
    }
  }

  /// A fault within a signal handler is the handler's: the interrupted function, such as `raise`, does not
  /// explain it. If a handler ended the process, the function that the signal interrupted counts, even if the
  /// end of the handler has no name.
  private func noteHandler(
    _ frames: inout [ClassifiedFrame], _ circumstances: CrashCategoryDecision, _ report: CrashReport
  ) {
    let stack = circumstances.stack
    guard circumstances.isCrashedStack, let signal = report.reason.signal,
      let start = Self.firstPhysical(stack), stack[start].trust == .context,
      // The end of the handler is the next address that is not a return address.
      let end = stack[(start + 1)...].firstIndex(where: { !$0.inlined && $0.position == .exact })
    else { return }
    if report.reason.isSent {
      let interrupted = stack[(end + 1)...].first { !$0.inlined }
      for index in frames.indices
      where frames[index].index == end && frames[index].frameClass != .app
        && interrupted?.position == .exact
      {
        frames[index].dropsAbove = true
      }
    } else if Self.faults.contains(signal) {
      for index in frames.indices where frames[index].index >= end {
        frames[index].dropsAbove = false
      }
    }
  }

  private static let faults = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"]

  /// The index of the first frame that no other was inlined into.
  private static func firstPhysical(_ stack: CrashCategoryDecision.Stack) -> Int? {
    let span = stack.span
    for index in span.indices where !span[index].inlined { return stack.startIndex + index }
    return nil
  }

  /// Words before the text that are not in the key.
  private func title(
    of report: CrashReport, _ analysed: AnalysedReport, _ text: String
  ) -> SignatureStep? {
    titleStep(report, analysed.circumstances, text) ?? wordsStep(report, analysed, text)
  }

  /// The kind of a sanitizer's error, which users expect in a title. One bug may be a use after free in one
  /// run and an overflow or a bad read in the next, so it is not in the key.
  ///
  /// - Parameter text: The text that the key is made from.
  private func titleStep(
    _ report: CrashReport, _ circumstances: CrashCategoryDecision, _ text: String
  ) -> SignatureStep? {
    guard report.format == .sanitizer || report.isNamedByKernel,
      circumstances.category == .signal,
      circumstances.leadingTokens.isEmpty, report.reason.signal == nil,
      let kind = kind(of: report), kind != "deadly signal", text != kind,
      !text.hasPrefix(kind + " | ")
    else { return nil }
    return SignatureStep(
      subject: "reason.type", result: kind, rule: Signature.titleRule, used: true)
  }

  private func steps(
    _ analysed: AnalysedReport, _ title: SignatureStep?, _ text: String, _ alternatives: [Reading]
  ) -> [SignatureStep] {
    var first = [analysed.circumstances.stackStep]
    first.append(contentsOf: analysed.circumstances.steps)
    if let title { first.append(title) }
    if let own = analysed.own { first += own.verdict.steps(text) }
    let leftOut = LeftOutFrames(analysed.frames, analysed.walk)
    let used = analysed.walk.used
    let stack = analysed.circumstances.stack
    let count = first.count + analysed.frames.count + alternatives.count
    return unsafe [SignatureStep](unsafeUninitializedCapacity: count) { steps, filled in
      for step in first {
        unsafe steps.initializeElement(at: filled, to: step)
        filled += 1
      }
      let frames = analysed.frames.span
      for index in frames.indices {
        let isUsed = used.contains(frames[index].index)
        // A step that is made elsewhere is copied, and a copy counts references to four texts.
        unsafe steps.setEmpty(at: filled)
        unsafe steps[filled].frame = frames[index].index
        unsafe steps[filled].subject = FrameClassifier.subject(stack.span, frames[index])
        unsafe steps[filled].result = frames[index].location?.token ?? frames[index].token
        unsafe steps[filled].frameClass = frames[index].frameClass.rawValue
        unsafe steps[filled].rule = frames[index].rule
        unsafe steps[filled].used = isUsed
        if !isUsed { unsafe steps[filled].leftOut = leftOut.leftOut(frames[index]) }
        filled += 1
      }
      for other in alternatives {
        unsafe steps.initializeElement(at: filled, to: other.step)
        filled += 1
      }
    }
  }
}

extension UnsafeMutableBufferPointer<SignatureStep> {
  /// Makes an element that has no texts, so that its bytes may be copied.
  @inline(__always)
  fileprivate func setEmpty(at index: Int) {
    unsafe withUnsafeBytes(of: SignatureStep.empty) { empty in
      guard let base = baseAddress, let start = empty.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(base + index).copyMemory(
        from: start, byteCount: empty.count)
    }
  }
}

extension SignatureStep {
  fileprivate static let empty = SignatureStep(subject: "", result: "", rule: "")
}

extension CrashReport {
  /// The report with readable names instead of the linker's, where `isMangled` recognises the latter.
  fileprivate func named(asText isMangled: (String) -> Bool) -> CrashReport {
    var report = self
    for thread in report.threads.indices {
      for index in report.threads[thread].frames.indices {
        let frame = report.threads[thread].frames[index]
        if frame.function != nil, let symbol = frame.symbol, isMangled(symbol) {
          report.threads[thread].frames[index].symbol = nil
        }
      }
    }
    return report
  }
}
