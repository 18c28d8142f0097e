internal import Bytes
internal import CrashModel
internal import Crypto

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

  func signature(of report: CrashReport, app: String) -> Signature {
    let analysed = analyse(report, app)
    let (walk, circumstances) = (analysed.walk, analysed.circumstances)
    let text = analysed.text(walk.tokens)
    let alternatives = alternatives(to: text, of: report, app, analysed)
    let title = analysed.hasStandardText ? title(of: report, analysed, text) : nil
    let unmapped = analysed.unmapped
    let mappings = unmapped.compactMap { report.images[$0].debugID }
    return Signature(
      text: title.map { "\($0.result) | \(text)" } ?? text, key: key(text, app),
      alternativeKeys: alternatives.map { key($0.text, app) },
      category: circumstances.category, rules: rules.name,
      isProvisional: analysed.hasStandardText
        && (walk.location != nil || !unmapped.isEmpty || !walk.hasApp && circumstances.lacksImages),
      waitsFor: (walk.location?.debugID.map { [$0] } ?? []) + mappings,
      steps: steps(analysed, title, text, alternatives))
  }

  /// The texts of the same report as other tools read it, each once.
  private func alternatives(
    to text: String, of report: CrashReport, _ app: String, _ analysed: AnalysedReport
  ) -> [Reading] {
    var readings = readings(of: analysed)
    if report.format == .swiftBacktraceJSON {
      readings += textReadings(of: report, app, besides: analysed)
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
    guard report.images.indices.contains(where: { report.images[$0].isManaged }) else { return [] }
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

  private func analyse(_ report: CrashReport, _ app: String) -> AnalysedReport {
    var images = classifier.images(of: report)
    let circumstances = CrashCategoryDecision(report, classifier: classifier, images: &images)
    var frames = circumstances.frames
    noteHelpers(&frames, circumstances)
    noteHandler(&frames, circumstances, report)
    circumstances.noteKernel(&frames, report)
    noteTests(&frames)
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
    var analysed = AnalysedReport(
      circumstances: circumstances, frames: frames, walk: walk,
      physical: hasInlined
        ? self.walk(frames.filter { !$0.isInlined }, circumstances, report, limit: limit) : nil,
      own: own, alternativeTokens: alternativeTokens(walk, frames, circumstances.stack, &images))
    analysed.unmapped = unmapped(walk, circumstances, in: report)
    // Mappings of .NET give lines; its names are always the source's.
    analysed.build =
      walk.namesFunction(of: frames)
      ? analysed.unmapped.lazy.map { report.images[$0] }.filter { $0.architecture != .cil }
        .compactMap { images.build(of: $0) }.first : nil
    return analysed
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
    of report: CrashReport, _ app: String, besides other: AnalysedReport
  ) -> [Reading] {
    let analysed = analyse(report.named(asText: FrameClassifier.isSwift), app)
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
    var digits = NameBytes()
    digits.reserveCapacity(32)
    for byte in digest.prefix(16) {
      for half in [byte >> 4, byte & 15] { digits.append(half < 10 ? 0x30 + half : 0x57 + half) }
    }
    return digits.text
  }

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
        frames[index].rule = rule.id
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
    let faults = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"]
    let stack = circumstances.stack
    guard circumstances.isCrashedStack, let signal = report.reason.signal,
      let start = stack.firstIndex(where: { !$0.inlined }), stack[start].trust == .context,
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
    } else if faults.contains(signal) {
      for index in frames.indices where frames[index].index >= end {
        frames[index].dropsAbove = false
      }
    }
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
    let (frames, circumstances, walk) = (analysed.frames, analysed.circumstances, analysed.walk)
    var steps: [SignatureStep] = []
    steps.reserveCapacity(frames.count + circumstances.steps.count + alternatives.count + 4)
    steps.append(circumstances.stackStep)
    steps.append(contentsOf: circumstances.steps)
    if let title { steps.append(title) }
    if let own = analysed.own { steps += own.verdict.steps(text) }
    let span = circumstances.stack.span
    let leftOutFrames = LeftOutFrames(frames, walk)
    // By index: a frame copied out of the array retains all its members.
    for index in frames.indices {
      let used = walk.used.contains(frames[index].index)
      steps.append(
        SignatureStep(
          frame: frames[index].index, subject: FrameClassifier.subject(span, frames[index]),
          result: frames[index].location?.token ?? frames[index].token,
          frameClass: frames[index].frameClass.rawValue, rule: frames[index].rule, used: used,
          leftOut: used ? nil : leftOutFrames.leftOut(frames[index])))
    }
    for other in alternatives { steps.append(other.step) }
    return steps
  }
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
