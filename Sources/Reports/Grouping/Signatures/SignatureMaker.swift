internal import Bytes
internal import CrashModel
internal import Crypto

/// Makes signatures: crash category, classes, walk, text and key.
struct SignatureMaker: Sendable {
  let edition: RuleEdition
  /// Custom rules, which come after the built-in ones.
  let own: CustomRules?
  let classifier: FrameClassifier

  init(edition: RuleEdition, own: CustomRules?, remembers: Bool) {
    self.edition = edition
    self.own = own
    classifier = FrameClassifier(edition: edition, remembers: remembers)
  }

  func signature(of report: CrashReport, app: String) -> Signature {
    let look = look(at: report, app)
    let text = look.text(look.walk.tokens)
    // The same report as other tools read it. A reading without code of the app would group different bugs.
    var others = readings(of: look)
    if report.format == .swiftBacktraceJSON {
      others += textReadings(of: report, app, besides: look)
    }
    var alternatives: [Reading] = []
    for other in others
    where other.text != text && !alternatives.contains(where: { $0.text == other.text }) {
      alternatives.append(other)
    }
    let (walk, circumstances) = (look.walk, look.circumstances)
    let title =
      look.hasStandardText
      ? titleStep(report, circumstances, text) ?? wordsStep(report, look, text) : nil
    let unmapped = look.unmapped
    let mappings = unmapped.compactMap { report.images[$0].debugID }
    return Signature(
      text: title.map { "\($0.result) | \(text)" } ?? text, key: key(text, app),
      alternativeKeys: alternatives.map { key($0.text, app) },
      category: circumstances.category, rules: edition.version,
      isProvisional: look.hasStandardText
        && (walk.location != nil || !mappings.isEmpty
          || edition.has(.releaseOfBuild) && !unmapped.isEmpty
          || !walk.hasApp && circumstances.lacksImages),
      waitsFor: (walk.location?.debugID.map { [$0] } ?? []) + mappings,
      steps: steps(look, title, text, alternatives))
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
    let others: [(tokens: [String], rule: String)]
    /// The images whose mappings would give functions of the text their names.
    var unmapped: [Int] = []
    /// The builds of those images: short names are those of other functions in each build.
    var build: String?

    var hasStandardText: Bool { own?.verdict.hasStandardText ?? true }

    func text(_ tokens: [String]) -> String {
      var text = (circumstances.pieces + tokens).joined(separator: " | ")
      if let build { text += " [\(build)]" }
      return own.map { $0.verdict.text(text, $0.facts) } ?? text
    }
  }

  private func look(at report: CrashReport, _ app: String) -> AnalysedReport {
    var images = classifier.images(of: report)
    let circumstances = CrashCategoryDecision(report, classifier: classifier, images: &images)
    var frames = circumstances.frames
    noteHelpers(&frames, circumstances)
    if edition.has(.faultFacts) { noteHandler(&frames, circumstances, report) }
    circumstances.noteKernel(&frames, report)
    noteTests(&frames)
    var own: (verdict: CustomRuleMatch, facts: RuleContext)?
    if let rules = self.own {
      let facts = RuleContext(report, product: app, category: circumstances.category)
      own = (
        apply(rules, to: &frames, of: circumstances.stack, facts, &images), facts
      )
    }
    if let own, !own.verdict.hasStandardText {
      return AnalysedReport(
        circumstances: circumstances, frames: frames, walk: .complete, physical: nil, own: own,
        others: [])
    }
    let limit = own?.verdict.maxFrames?.count
    var walk = walk(frames, circumstances, report, limit: limit)
    if noteOrigin(&frames, walk, circumstances, &images) {
      walk = self.walk(frames, circumstances, report, limit: limit)
    }
    var others: [(tokens: [String], rule: String)] = []
    if let tokens = tokensOfCaller(walk, frames, circumstances.stack) {
      others.append((tokens, Signature.weakRule))
    }
    if let tokens = tokensWithoutName(walk, circumstances.stack, &images) {
      others.append((tokens, "without the platform's names"))
    }
    let hasInlined = !circumstances.isComplete && frames[...].firstPosition { $0.isInlined } != nil
    var look = AnalysedReport(
      circumstances: circumstances, frames: frames, walk: walk,
      physical: hasInlined
        ? self.walk(frames.filter { !$0.isInlined }, circumstances, report, limit: limit) : nil,
      own: own, others: others)
    look.unmapped = unmapped(walk, circumstances, in: report)
    if edition.has(.releaseOfBuild) {
      // Mappings of .NET give lines; its names are always the source's.
      look.build =
        walk.namesFunction(of: frames)
        ? look.unmapped.lazy.map { report.images[$0] }.filter { $0.architecture != .cil }
          .compactMap { images.build(of: $0) }.first : nil
    }
    return look
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
  private func readings(of look: AnalysedReport) -> [Reading] {
    var readings: [Reading] = []
    func add(_ tokens: [String]?, _ rule: String) {
      if let tokens { readings.append(Reading(text: look.text(tokens), rule: rule)) }
    }
    if look.walk.hasApp { add(look.walk.shortTokens, "without Swift's modules") }
    if let physical = look.physical, physical.hasApp {
      add(physical.tokens, "without inlined calls")
      add(physical.shortTokens, "without inlined calls and Swift's modules")
    }
    for other in look.others { add(other.tokens, other.rule) }
    return readings
  }

  /// The texts of the same backtrace as text, whose names have no modules and no types. Without a function of
  /// the app in either, both identify the bug equally well.
  private func textReadings(
    of report: CrashReport, _ app: String, besides other: AnalysedReport
  ) -> [Reading] {
    let look = look(at: report.named(asText: FrameClassifier.isSwift), app)
    var readings: [Reading] = []
    for (walk, rule) in [(look.walk, "as text"), (look.physical, "as text, without inlined calls")]
    {
      guard let walk, walk.hasApp || !other.walk.hasApp else { continue }
      readings.append(Reading(text: look.text(walk.tokens), rule: rule))
    }
    return readings
  }

  /// The first sixteen bytes of the SHA-256 of rules, product and text, in hexadecimal.
  private func key(_ text: String, _ app: String) -> String {
    var bytes = NameBytes()
    bytes.reserveCapacity(app.utf8.count + text.utf8.count + 32)
    bytes.append("mayday-sig")
    for part in [edition.version, app, text] {
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
        guard let rule = edition.handled.match(NameBytes(frames[index].token.utf8)) else { return }
        // The last one counts if there is no other code of the app.
        if edition.namesUnknownFrames,
          !frames[(index + 1)...].contains(where: { $0.frameClass == .app })
        {
          return
        }
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

  /// The kind of a sanitizer's error, which users expect in a title. One bug may be a use after free in one
  /// run and an overflow or a bad read in the next, so it is not in the key.
  ///
  /// - Parameter text: The text that the key is made from.
  private func titleStep(
    _ report: CrashReport, _ circumstances: CrashCategoryDecision, _ text: String
  ) -> SignatureStep? {
    guard report.format == .sanitizer || report.isNamedByKernel,
      circumstances.category == .signal,
      circumstances.pieces.isEmpty, report.reason.signal == nil,
      let kind = kind(of: report), kind != "deadly signal", text != kind,
      !text.hasPrefix(kind + " | ")
    else { return nil }
    return SignatureStep(
      subject: "reason.type", result: kind, rule: Signature.titleRule, used: true)
  }

  private func steps(
    _ look: AnalysedReport, _ title: SignatureStep?, _ text: String, _ alternatives: [Reading]
  ) -> [SignatureStep] {
    let (frames, circumstances, walk) = (look.frames, look.circumstances, look.walk)
    var steps: [SignatureStep] = []
    steps.reserveCapacity(frames.count + circumstances.steps.count + alternatives.count + 4)
    steps.append(circumstances.stackStep)
    steps.append(contentsOf: circumstances.steps)
    if let title { steps.append(title) }
    if let own = look.own { steps += own.verdict.steps(text) }
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

  // MARK: The walk

  private func walk(
    _ frames: [ClassifiedFrame], _ circumstances: CrashCategoryDecision, _ report: CrashReport,
    limit: Int?
  ) -> SignatureWalk {
    if circumstances.isComplete { return .complete }
    if circumstances.category == .stackOverflow, let walk = cycle(frames) { return walk }
    // Frames above the last death frame belong to the process's end. This does not hold below the app's
    // functions: Rust starts programs and threads in a function of its panics.
    let app = frames[...].firstPosition { $0.frameClass == .app }
    let start = app.flatMap { app in frames[app...].firstPosition { $0.frameClass == .base } }
    let first = frames[..<(start ?? frames.endIndex)].lastPosition { $0.dropsAbove } ?? 0
    let below = frames[first...].firstPosition { $0.dropsBelow }
    let end = below.map { $0 + 1 } ?? frames.endIndex
    let isHandled = edition.has(.releaseOfBuild) && circumstances.category == .handled
    var rest = frames[first..<end]
    // Frames without names in one image are not turns of a recursion.
    if !isHandled || !rest.contains(where: { $0.location != nil && $0.location?.debugID == nil }) {
      rest = Recursion.collapsed(rest)
    }
    // The callers of the program's first function are irrelevant to the bug.
    if edition.has(.tellingStacks), let entry = rest.firstIndex(where: { $0.isEntry }),
      !rest.contains(where: { $0.frameClass == .app || $0.location != nil })
    {
      rest = rest[...entry]
    }
    if circumstances.category == .hang || circumstances.category == .watchdog, isIdle(rest) {
      var walk = SignatureWalk(tokens: [circumstances.idleText])
      walk.leftOut = .complete
      return walk
    }
    var walk = SignatureWalk(rest, from: first, of: end)
    // The function that reports an error is often in the program itself, and unnamed as well.
    walk.run(rest, locations: isHandled ? SigningLimits.handledLocations : 1)
    walk.shorten(edition)
    if let below { walk.stop(at: frames[below].index) }
    if circumstances.hasWords { walk.keepApp() }
    if !walk.hasApp { walk.takeUnlisted(rest) }
    if edition.namesUnknownFrames, !walk.hasApp, let file = file(rest, circumstances) {
      let isAll = walk.tokens.isEmpty
      walk.take(rest[file.index], as: file.name)
      if isAll { walk.put(first: knownTokens(false, frames, circumstances, report)) }
    }
    if walk.tokens.isEmpty {
      walk.takeEntry(rest)
      // It is only known to be in the program.
      if edition.namesUnknownFrames, walk.tokens.count == 1 {
        walk.put(first: knownTokens(false, frames, circumstances, report))
      }
    }
    if let limit { walk.limit(to: limit) }
    if !walk.tokens.isEmpty { return walk }
    // A message is more specific than a runtime and the bottom of a stack.
    if !(edition.namesUnknownFrames && circumstances.hasWords) {
      // Whether the function that ran at the program's exit is known depends on the library's symbols.
      if edition.has(.ownPlaces), let exit = rest.first(where: { Self.exits.contains($0.token) }) {
        walk.take(exit)
      } else {
        walk.takeRuntimes(rest)
      }
      // After an exception's class, the functions of every abort add nothing.
      let isTold = edition.namesUnknownFrames && !circumstances.pieces.isEmpty
      if walk.tokens.isEmpty {
        walk.fallBack(
          isTold ? rest.filter { !$0.dropsAbove }[...] : rest,
          to: edition.namesUnknownFrames ? [.glue, .death, .base] : [.glue, .base, .death])
      }
      if walk.tokens.isEmpty, !isTold, let frame = frames.first(where: { $0.frameClass == .death })
      {
        walk.take(frame)
      }
    }
    walk.put(first: knownTokens(walk.tokens.isEmpty, frames, circumstances, report))
    return walk
  }

  private static let exits: Set<String> = ["exit", "quick_exit"]

  /// One turn of the recursion that overflowed the stack: of the app's functions if they repeat, otherwise of
  /// all.
  private func cycle(_ frames: [ClassifiedFrame]) -> SignatureWalk? {
    let telling: [FrameClass] = [.app, .system, .unknown]
    let turn =
      Recursion.firstCycle(frames.filter { $0.frameClass == .app })
      ?? Recursion.firstCycle(frames.filter { telling.contains($0.frameClass) })
      ?? Recursion.firstCycle(frames.filter { $0.frameClass != .void })
    guard let turn, let first = turn.first else { return nil }
    var walk = SignatureWalk(turn: turn)
    walk.leftOut = .outside
    walk.tokens = [(turn + [first]).map { $0.location?.token ?? $0.token }.joined(separator: " > ")]
    if turn.contains(where: { $0.name?.short != nil }) {
      walk.shortTurn = (turn + [first]).map { $0.name?.short ?? $0.location?.token ?? $0.token }
        .joined(separator: " > ")
    }
    walk.location = turn.first { $0.location != nil }?.location
    return walk
  }

  /// Whether a main thread only waits for events.
  private func isIdle(_ frames: ArraySlice<ClassifiedFrame>) -> Bool {
    guard !frames.isEmpty, !frames.contains(where: { $0.frameClass == .app || $0.location != nil })
    else {
      return false
    }
    return frames.prefix(4).contains { edition.idle.match(NameBytes($0.token.utf8)) != nil }
  }

  /// The known facts about a crash without a function: the kind of crash, the source file, the program's
  /// message.
  ///
  /// - Parameter isAll: Whether there are no other facts. Then reports that do not even name a file share a
  ///   group only within one version of the app.
  private func knownTokens(
    _ isAll: Bool, _ frames: [ClassifiedFrame], _ circumstances: CrashCategoryDecision,
    _ report: CrashReport
  ) -> [String] {
    var tokens: [String] = []
    if circumstances.pieces.isEmpty, let kind = kind(of: report) { tokens.append(kind) }
    guard isAll else { return tokens }
    if !edition.namesUnknownFrames,
      let file = circumstances.stack.lazy.compactMap({ $0.file.flatMap(AssertionText.fileName) })
        .first
    {
      return tokens + [file]
    }
    if let message = circumstances.message {
      let text = MessageParameters.parameterised(message, edition)
      if !text.isEmpty, !circumstances.pieces.contains(text) { tokens.append(text) }
    }
    var why =
      if circumstances.stack.isEmpty { report.threads.isEmpty ? "no thread" : "no frames" } else {
        "no names"
      }
    if tokens.isEmpty, circumstances.pieces.isEmpty { why = "EMPTY \(why)" }
    tokens.append(why)
    let app = report.app
    let names = [report.process.name, app.name, report.images.first?.name].compactMap { $0 }
    let name = names.first {
      !edition.namesUnknownFrames || !NameNormaliser.isMissing(NameBytes($0.utf8))
    }
    let version = [app.version, app.build.map { "(\($0))" }].compactMap { $0 }.joined(
      separator: " ")
    let main = [
      name.map { "[\(ImageOwners.normalise($0).text)]" }, version.isEmpty ? nil : version,
    ]
    .compactMap { $0 }.joined(separator: " ")
    if !main.isEmpty { tokens.append(Scrubbing.scrub(main, limit: SigningLimits.tokenBytes).text) }
    return tokens
  }

  /// The kind of crash, for a signature without a function: `SIGSEGV`, `signed integer overflow`.
  func kind(of report: CrashReport) -> String? {
    let reason = report.reason
    let name = report.format == .sanitizer ? reason.type : reason.signal ?? reason.type
    guard let name else { return nil }
    let text = MessageParameters.parameterised(name, edition)
    return text.isEmpty ? nil : text
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
