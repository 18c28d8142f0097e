internal import CrashModel

/// The choice of the functions that go into a signature.
extension SignatureMaker {
  func walk(
    _ frames: [ClassifiedFrame], _ circumstances: CrashCategoryDecision, _ report: CrashReport,
    limit: Int?
  ) -> SignatureWalk {
    if circumstances.isComplete { return .complete }
    let category = circumstances.category
    if category == .stackOverflow, let walk = recursionWalk(frames) { return walk }
    let examined = ExaminedFrames(frames, category: category)
    if category == .hang || category == .watchdog, isIdle(examined.frames) {
      return .complete([circumstances.idleText])
    }
    var walk = SignatureWalk(examined)
    appendFunctions(of: examined, to: &walk, circumstances)
    if !walk.hasApp { appendFile(of: examined, to: &walk, circumstances, report) }
    if walk.tokens.isEmpty { appendEntry(of: examined, to: &walk, circumstances, report) }
    if let limit { walk.limit(to: limit) }
    if walk.tokens.isEmpty {
      appendSubstitutes(of: examined, in: frames, to: &walk, circumstances, report)
    }
    return walk
  }

  /// One turn of the recursion that overflowed the stack: of the app's functions if they repeat, otherwise of
  /// all.
  private func recursionWalk(_ frames: [ClassifiedFrame]) -> SignatureWalk? {
    let telling: [FrameClass] = [.app, .system, .unknown]
    let turn =
      Recursion.firstCycle(frames.filter { $0.frameClass == .app })
      ?? Recursion.firstCycle(frames.filter { telling.contains($0.frameClass) })
      ?? Recursion.firstCycle(frames.filter { $0.frameClass != .void })
    guard let turn, let first = turn.first else { return nil }
    return SignatureWalk(turn: turn, backTo: first)
  }

  /// Whether a main thread only waits for events.
  private func isIdle(_ frames: ArraySlice<ClassifiedFrame>) -> Bool {
    guard !frames.isEmpty, !frames.contains(where: { $0.frameClass == .app || $0.isLocated })
    else {
      return false
    }
    return frames.prefix(4).contains { rules.idle.match(NameBytes($0.token.utf8)) != nil }
  }

  /// Appends functions, modules and locations, as far as the crash's category lets them count.
  private func appendFunctions(
    of examined: ExaminedFrames, to walk: inout SignatureWalk,
    _ circumstances: CrashCategoryDecision
  ) {
    // The function that reports an error is often in the program itself, and unnamed as well.
    let locations = circumstances.category == .handled ? SigningLimits.handledLocations : 1
    walk.appendFunctions(examined.frames, locations: locations)
    walk.endAtFirstFunction()
    walk.dropPathToFunction()
    if let last = examined.lastIndex { walk.endExamination(at: last) }
    if circumstances.hasWords { walk.dropTokensBeforeApp() }
    if !walk.hasApp { walk.appendUnlistedLocations(examined.frames) }
  }

  /// Appends the app's source file of code outside any function.
  private func appendFile(
    of examined: ExaminedFrames, to walk: inout SignatureWalk,
    _ circumstances: CrashCategoryDecision,
    _ report: CrashReport
  ) {
    guard let file = file(examined.frames, circumstances) else { return }
    let isAll = walk.tokens.isEmpty
    walk.append(file.name, of: examined.frames[file.index])
    if isAll { walk.prepend(kindTokens(circumstances, report)) }
  }

  /// Appends the program's first function.
  private func appendEntry(
    of examined: ExaminedFrames, to walk: inout SignatureWalk,
    _ circumstances: CrashCategoryDecision,
    _ report: CrashReport
  ) {
    walk.appendEntry(examined.frames)
    // It is only known to be in the program.
    if walk.tokens.count == 1 { walk.prepend(kindTokens(circumstances, report)) }
  }

  /// Fills a walk that has no function of the source: with functions and modules that show only how the process
  /// died, and the known facts about the crash.
  private func appendSubstitutes(
    of examined: ExaminedFrames, in frames: [ClassifiedFrame], to walk: inout SignatureWalk,
    _ circumstances: CrashCategoryDecision, _ report: CrashReport
  ) {
    // A message is more specific than a runtime and the bottom of a stack.
    if !circumstances.hasWords {
      appendExitOrRuntimes(examined.frames, to: &walk)
      if walk.tokens.isEmpty { appendPlatform(of: examined, in: frames, to: &walk, circumstances) }
    }
    walk.prepend(
      walk.tokens.isEmpty
        ? knownTokens(circumstances, report) : kindTokens(circumstances, report))
  }

  /// Whether the function that ran at the program's exit is known depends on the library's symbols.
  private func appendExitOrRuntimes(
    _ frames: ArraySlice<ClassifiedFrame>, to walk: inout SignatureWalk
  ) {
    if let exit = frames.first(where: { Self.exits.contains($0.token) }) {
      walk.append(exit)
    } else {
      walk.appendRuntimes(frames)
    }
  }

  private static let exits: Set<String> = ["exit", "quick_exit"]

  /// Appends a function of indirection, of the process's end or of the bottom of the stack.
  private func appendPlatform(
    of examined: ExaminedFrames, in frames: [ClassifiedFrame], to walk: inout SignatureWalk,
    _ circumstances: CrashCategoryDecision
  ) {
    // After an exception's class, the functions of every abort add nothing.
    let hasLeadingTokens = !circumstances.leadingTokens.isEmpty
    walk.appendFirst(
      of: [.glue, .death, .base],
      in: hasLeadingTokens ? examined.frames.filter { !$0.dropsAbove }[...] : examined.frames)
    if walk.tokens.isEmpty, !hasLeadingTokens { walk.appendFirst(of: [.death], in: frames[...]) }
  }

  /// The kind of crash, if nothing else of the text says it.
  private func kindTokens(_ circumstances: CrashCategoryDecision, _ report: CrashReport) -> [String]
  {
    guard circumstances.leadingTokens.isEmpty, let kind = kind(of: report) else { return [] }
    return [kind]
  }

  /// The known facts about a crash without any frame that counts: the kind of crash, the program's message, what
  /// is missing, the program. Such reports share a group only within one version of the app.
  private func knownTokens(_ circumstances: CrashCategoryDecision, _ report: CrashReport)
    -> [String]
  {
    var tokens = kindTokens(circumstances, report)
    if let message = circumstances.message {
      let text = MessageParameters.parameterised(message)
      if !text.isEmpty, !circumstances.leadingTokens.contains(text) { tokens.append(text) }
    }
    let missing =
      if !circumstances.stack.isEmpty {
        "no names"
      } else {
        report.threads.isEmpty ? "no thread" : "no frames"
      }
    let isEmpty = tokens.isEmpty && circumstances.leadingTokens.isEmpty
    tokens.append(isEmpty ? "EMPTY \(missing)" : missing)
    if let program = Self.program(of: report) { tokens.append(program) }
    return tokens
  }

  /// The program's name and version: `[shop] 1.0 (12)`.
  private static func program(of report: CrashReport) -> String? {
    let app = report.app
    let name = [report.process.name, app.name, report.images.first?.name].lazy
      .compactMap { $0 }.first { !NameNormaliser.isMissing(NameBytes($0.utf8)) }
    let version = [app.version, app.build.map { "(\($0))" }].compactMap { $0 }
      .joined(separator: " ")
    let words = [
      name.map { "[\(ImageOwners.normalise($0).text)]" }, version.isEmpty ? nil : version,
    ]
    let text = words.compactMap { $0 }.joined(separator: " ")
    return text.isEmpty ? nil : Scrubbing.scrub(text, limit: SigningLimits.tokenBytes).text
  }

  /// The kind of crash, for a signature without a function: `SIGSEGV`, `signed integer overflow`.
  func kind(of report: CrashReport) -> String? {
    let reason = report.reason
    let name = report.format == .sanitizer ? reason.type : reason.signal ?? reason.type
    guard let name else { return nil }
    let text = MessageParameters.parameterised(name)
    return text.isEmpty ? nil : text
  }
}
