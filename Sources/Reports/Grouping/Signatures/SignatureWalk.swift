internal import CrashModel

/// The functions of a stack that go into its signature.
struct SignatureWalk {
  private(set) var tokens: [String] = []
  /// Tokens of Swift functions without their modules, by their index in ``tokens``.
  private var shortSpellings: [(index: Int, token: String)] = []
  /// Indices of the frames that gave the tokens.
  private(set) var used: [Int] = []
  /// The location that replaces a function whose debug file is missing.
  private(set) var location: ProvisionalLocation?

  /// Whether a function of the app, or the location of one, is among the tokens. Without one, a text may fit
  /// any number of bugs.
  private(set) var hasApp = false

  private var systemTokens = 0
  private var appTokens = 0
  private var firstSystemToken: Int?
  private var firstAppToken: Int?
  /// A recursion's turn without modules.
  private var shortTurn: String?
  /// The reason why the other frames gave no token, unless their location shows it.
  private(set) var leftOut: LeftOut?
  /// Index of the first frame that was examined.
  private(set) var start = 0
  /// Frames that remained when repeated turns were reduced to one; `nil` if all did.
  private(set) var kept: Set<Int>?
  /// Index of the last frame that was examined.
  private(set) var end: Int?
  /// The frame that gave each token.
  private var tokenFrames: [Int] = []

  private init(tokens: [String]) { self.tokens = tokens }

  /// A walk without frames, where the text is a message alone.
  static var complete: SignatureWalk { .complete([]) }

  /// A walk without frames, where a text stands for them.
  static func complete(_ tokens: [String]) -> SignatureWalk {
    var walk = SignatureWalk(tokens: tokens)
    walk.leftOut = .complete
    return walk
  }

  /// The walk of a recursion that overflowed the stack.
  ///
  /// - Parameters:
  ///   - turn: The functions of one turn.
  ///   - first: The first of them.
  init(turn: [ClassifiedFrame], backTo first: ClassifiedFrame) {
    used = turn.map { $0.index }
    hasApp = turn.contains { $0.frameClass == .app || $0.isLocated }
    leftOut = .outside
    tokens = [(turn + [first]).map { $0.location?.token ?? $0.token }.joined(separator: " > ")]
    if turn.contains(where: { $0.shortToken != nil }) {
      shortTurn = (turn + [first]).map { $0.shortToken ?? $0.location?.token ?? $0.token }
        .joined(separator: " > ")
    }
    location = turn.first { $0.isLocated }?.location
  }

  /// A walk that has examined no frame so far.
  init(_ examined: ExaminedFrames) {
    start = examined.range.lowerBound
    if examined.frames.count != examined.range.count {
      kept = Set(examined.frames.map { $0.index })
    }
    leftOut = .surplus
  }

  /// Appends platform functions and modules up to and including the first function of the app.
  ///
  /// - Parameter locations: The number of consecutive locations that replace that function if no build is
  ///   known.
  mutating func appendFunctions(_ frames: ArraySlice<ClassifiedFrame>, locations: Int) {
    var locations = locations
    // By index: most frames are skipped, and one copied out retains all its members.
    for index in frames.indices {
      if location != nil, !frames[index].isLocated { return }
      if frames[index].stops { return appendLast(frames[index]) }
      if !frames[index].frameClass.givesTokens { continue }
      let frame = frames[index]
      switch frame.frameClass {
      case .death, .base, .glue, .void: continue
      case .system:
        guard appTokens == 0 else { return end = frame.index - 1 }
        guard systemTokens < SigningLimits.systemTokens, tokens.count < SigningLimits.tokens else {
          continue
        }
        if append(frame) {
          systemTokens += 1
          firstSystemToken = firstSystemToken ?? tokens.count - 1
        }
      case .unknown:
        guard appTokens == 0 else { return end = frame.index - 1 }
        if let location = frame.location {
          append(location, of: frame)
          locations -= 1
          if locations == 0 || location.debugID != nil { return }
          continue
        }
        if tokens.count < SigningLimits.tokens { append(frame) }
      case .app:
        // The function that counts has a token of its own.
        append(frame)
        firstAppToken = firstAppToken ?? tokens.count - 1
        hasApp = true
        appTokens += 1
        guard frame.extends || frame.spelling.handsOn && !frame.isScript,
          appTokens < SigningLimits.appTokens
        else { return end = frame.index }
      }
    }
  }

  /// Appends the location of a frame of the app that has no function.
  private mutating func append(_ location: ProvisionalLocation, of frame: ClassifiedFrame) {
    firstAppToken = firstAppToken ?? tokens.count
    hasApp = true
    tokens.append(location.token)
    tokenFrames.append(frame.index)
    used.append(frame.index)
    self.location = location
    end = frame.index
  }

  /// Appends a frame at which a rule ends the walk.
  private mutating func appendLast(_ frame: ClassifiedFrame) {
    if let location = frame.location { return append(location, of: frame) }
    append(frame)
    firstAppToken = firstAppToken ?? tokens.count - 1
    hasApp = true
    end = frame.index
  }

  /// Records that nothing below a frame was examined.
  mutating func endExamination(at index: Int) { end = min(end ?? index, index) }

  /// Keeps `count` tokens: those of the app and the ones before them; without any of the app, the first.
  mutating func limit(to count: Int) {
    guard tokens.count > count, tokenFrames.count == tokens.count else { return }
    var last = firstAppToken == nil && firstSystemToken == nil ? count : tokens.count
    if let firstAppToken { last = min(last, firstAppToken + count) }
    let kept = (last - count)..<last
    tokens = Array(tokens[kept])
    firstSystemToken = nil
    tokenFrames = Array(tokenFrames[kept])
    used = tokenFrames
    shortSpellings = shortSpellings.filter { kept.contains($0.index) }.map {
      ($0.index - kept.lowerBound, $0.token)
    }
  }

  /// Without a function of the app, the first named one takes its place; without that, only the first modules
  /// are kept.
  mutating func endAtFirstFunction() {
    guard firstAppToken == nil else { return }
    let limit = firstSystemToken.map { $0 + 1 } ?? SigningLimits.moduleTokens
    guard tokens.count > limit else { return }
    tokens.removeSubrange(limit...)
    tokenFrames.removeSubrange(limit...)
    used = tokenFrames
    end = used.last
  }

  /// Keeps only the first of the platform functions and modules before the function that ends the walk: the
  /// crash location counts, not the path to it.
  mutating func dropPathToFunction() {
    guard let last = firstAppToken ?? firstSystemToken, last > 1 else { return }
    let surplus = 1..<last
    let left = tokenFrames[1]..<tokenFrames[last]
    tokens.removeSubrange(surplus)
    tokenFrames.removeSubrange(surplus)
    used.removeAll(where: left.contains)
    shortSpellings = shortSpellings.compactMap { other in
      surplus.contains(other.index)
        ? nil : (other.index < 1 ? other.index : other.index - surplus.count, other.token)
    }
    if firstAppToken != nil { firstAppToken = 1 }
    if let first = firstSystemToken {
      firstSystemToken = first == 0 ? 0 : firstAppToken == nil ? 1 : nil
    }
  }

  /// Whether frames gave nothing but names of modules.
  var isModules: Bool {
    !hasApp && location == nil && firstSystemToken == nil && shortTurn == nil
      && !tokenFrames.isEmpty && tokenFrames.count == tokens.count
  }

  /// Whether a function is among the tokens, not only files of code outside any.
  func namesFunction(of frames: [ClassifiedFrame]) -> Bool {
    frames.contains { $0.isNamed && used.contains($0.index) }
  }

  /// The frame of the last function of the app in ``tokens``; `nil` where the walk ends otherwise.
  var lastApp: Int? {
    guard firstAppToken != nil, shortTurn == nil, tokenFrames.count == tokens.count else {
      return nil
    }
    return tokenFrames.last
  }

  /// The frame of the platform's function at the front of ``tokens``, before one of the app.
  var firstSystem: Int? {
    guard firstSystemToken == 0, let firstAppToken, firstAppToken > 0,
      tokenFrames.count == tokens.count
    else { return nil }
    return tokenFrames.first
  }

  /// Drops the tokens before the functions of the app, if there are any.
  mutating func dropTokensBeforeApp() {
    guard let firstAppToken, firstAppToken > 0 else { return }
    leftOut = .words
    tokens.removeSubrange(..<firstAppToken)
    shortSpellings = shortSpellings.filter { $0.index >= firstAppToken }.map {
      ($0.index - firstAppToken, $0.token)
    }
    used = Array(tokenFrames.dropFirst(firstAppToken))
    tokenFrames.removeSubrange(..<firstAppToken)
    self.firstAppToken = 0
    firstSystemToken = nil
  }

  /// Appends locations of unnamed frames in images that the report does not list or name, as when it was
  /// truncated: their meaning is unknown.
  mutating func appendUnlistedLocations(_ frames: ArraySlice<ClassifiedFrame>) {
    for frame in frames where frame.isUnlisted && tokens.count < SigningLimits.tokens {
      guard let location = frame.location else { continue }
      tokens.append(location.token)
      tokenFrames.append(frame.index)
      used.append(frame.index)
      self.location = self.location ?? location
      // A location with a build is enough; offsets alone could be of any image.
      if location.debugID != nil { return }
    }
  }

  /// Inserts tokens that no frame gave before the shortSpellings.
  mutating func prepend(_ known: [String]) {
    tokens = known + tokens
    shortSpellings = shortSpellings.map { ($0.index + known.count, $0.token) }
  }

  /// Appends the entry of the app's own code, after its callees: all that is known of the app if the failing
  /// function is the first, or if every other one was inlined into it.
  mutating func appendEntry(_ frames: ArraySlice<ClassifiedFrame>) {
    guard let entry = frames.firstIndex(where: { $0.isEntry }) else { return }
    if let call = frames[..<entry].last(where: { $0.frameClass == .glue }) { append(call) }
    append(frames[entry])
  }

  /// Appends the source file of a frame without a function.
  mutating func append(_ file: String, of frame: ClassifiedFrame) {
    tokens.append(file)
    tokenFrames.append(frame.index)
    used.append(frame.index)
  }

  /// Appends the modules of runtimes, if only these are known.
  mutating func appendRuntimes(_ frames: ArraySlice<ClassifiedFrame>) {
    for frame in frames where frame.frameClass == .death && !frame.isNamed {
      guard tokens.count < SigningLimits.runtimeTokens else { return }
      append(frame)
    }
  }

  /// The tokens as they are when Swift's backtracer gives names without modules, if they differ.
  var shortTokens: [String]? {
    if let shortTurn { return [shortTurn] }
    guard !shortSpellings.isEmpty else { return nil }
    var short = tokens
    for (index, token) in shortSpellings where short.indices.contains(index) {
      short[index] = token
    }
    return short
  }

  /// Appends the first frame of a class.
  ///
  /// - Parameter classes: The classes in order of preference.
  mutating func appendFirst(of classes: [FrameClass], in frames: ArraySlice<ClassifiedFrame>) {
    for frameClass in classes {
      guard let frame = frames.first(where: { $0.frameClass == frameClass }) else { continue }
      append(frame)
      return
    }
  }

  /// Appends a frame's token unless the one before is the same.
  @discardableResult
  mutating func append(_ frame: ClassifiedFrame) -> Bool {
    used.append(frame.index)
    guard tokens.last != frame.token else { return false }
    tokens.append(frame.token)
    tokenFrames.append(frame.index)
    if let short = frame.shortToken { shortSpellings.append((tokens.count - 1, short)) }
    return true
  }
}

extension FrameClass {
  /// Whether a frame of the class may give a token of the text.
  fileprivate var givesTokens: Bool {
    switch self {
    case .app, .system, .unknown: true
    case .death, .base, .glue, .void: false
    }
  }
}
