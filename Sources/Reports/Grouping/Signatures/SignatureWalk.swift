internal import CrashModel

/// The functions of a stack that go into its signature.
struct SignatureWalk {
  var tokens: [String] = []
  /// Tokens in another spelling, by their index in ``tokens``.
  private var others: [(index: Int, token: String)] = []
  /// Indices of the frames that gave the tokens.
  private(set) var used: [Int] = []
  /// The location that replaces a function whose debug file is missing.
  var location: ProvisionalLocation?

  /// Whether a function of the app, or the location of one, is among the tokens. Without one, a text may fit
  /// any number of bugs.
  private(set) var hasApp = false

  private var systemTokens = 0
  private var appTokens = 0
  private var firstSystemToken: Int?
  private var firstAppToken: Int?
  /// A recursion's turn in the other spelling.
  var shortTurn: String?
  /// The reason why the other frames gave no token, unless their location shows it.
  var leftOut: LeftOut?
  /// Index of the first frame that was examined.
  private(set) var start = 0
  /// Frames that remained when repeated turns were reduced to one; `nil` if all did.
  private(set) var kept: Set<Int>?
  /// Index of the last frame that was examined.
  private(set) var end: Int?
  /// The frame that gave each token.
  private var takenFrom: [Int] = []

  init(tokens: [String] = []) { self.tokens = tokens }

  /// A walk without frames, where the text is a message alone.
  static var complete: SignatureWalk {
    var walk = SignatureWalk()
    walk.leftOut = .complete
    return walk
  }

  /// One turn of a recursion.
  init(turn: [ClassifiedFrame]) {
    used = turn.map { $0.index }
    hasApp = turn.contains { $0.frameClass == .app || $0.location != nil }
  }

  /// - Parameters:
  ///   - rest: The frames to examine, with repeated turns reduced to one.
  ///   - start: Index of the first of them.
  ///   - count: How many frames there are in all.
  init(_ rest: ArraySlice<ClassifiedFrame>, from start: Int, of count: Int) {
    self.start = start
    if rest.count != count - start { kept = Set(rest.map { $0.index }) }
  }

  /// Takes platform functions and modules up to and including the first function of the app.
  ///
  /// - Parameter locations: The number of consecutive locations that replace that function if no build is
  ///   known.
  mutating func run(_ frames: ArraySlice<ClassifiedFrame>, locations: Int = 1) {
    leftOut = .surplus
    var locations = locations
    // By index: most frames are skipped, and one copied out retains all its members.
    for index in frames.indices {
      if location != nil, frames[index].location == nil { return }
      if frames[index].stops { return takeLast(frames[index]) }
      if !frames[index].frameClass.givesPieces { continue }
      let frame = frames[index]
      switch frame.frameClass {
      case .death, .base, .glue, .void: continue
      case .system:
        guard appTokens == 0 else { return end = frame.index - 1 }
        guard systemTokens < SigningLimits.systemTokens, tokens.count < SigningLimits.tokens else {
          continue
        }
        if take(frame) {
          systemTokens += 1
          firstSystemToken = firstSystemToken ?? tokens.count - 1
        }
      case .unknown:
        guard appTokens == 0 else { return end = frame.index - 1 }
        if let location = frame.location {
          take(frame, at: location)
          locations -= 1
          if locations == 0 || location.debugID != nil { return }
          continue
        }
        if tokens.count < SigningLimits.tokens { take(frame) }
      case .app:
        // The function that counts has a token of its own.
        take(frame)
        firstAppToken = firstAppToken ?? tokens.count - 1
        hasApp = true
        appTokens += 1
        guard frame.extends || frame.spelling.handsOn && !frame.isScript,
          appTokens < SigningLimits.appTokens
        else { return end = frame.index }
      }
    }
  }

  /// Takes a frame of the app by its location, as it has no function.
  private mutating func take(_ frame: ClassifiedFrame, at location: ProvisionalLocation) {
    firstAppToken = firstAppToken ?? tokens.count
    hasApp = true
    tokens.append(location.token)
    takenFrom.append(frame.index)
    used.append(frame.index)
    self.location = location
    end = frame.index
  }

  /// Takes a frame at which a rule ends the walk.
  private mutating func takeLast(_ frame: ClassifiedFrame) {
    if let location = frame.location { return take(frame, at: location) }
    take(frame)
    firstAppToken = firstAppToken ?? tokens.count - 1
    hasApp = true
    end = frame.index
  }

  /// Records that nothing below a frame was examined.
  mutating func stop(at index: Int) { end = min(end ?? index, index) }

  /// Keeps `count` tokens: those of the app and the ones before them; without any of the app, the first.
  mutating func limit(to count: Int) {
    guard tokens.count > count, takenFrom.count == tokens.count else { return }
    var last = firstAppToken == nil && firstSystemToken == nil ? count : tokens.count
    if let firstAppToken { last = min(last, firstAppToken + count) }
    let kept = (last - count)..<last
    tokens = Array(tokens[kept])
    firstSystemToken = nil
    takenFrom = Array(takenFrom[kept])
    used = takenFrom
    others = others.filter { kept.contains($0.index) }.map {
      ($0.index - kept.lowerBound, $0.token)
    }
  }

  /// Without a function of the app, the first named one takes its place; without that, only the first modules
  /// are kept.
  mutating func shorten(_ edition: RuleEdition) {
    if firstAppToken == nil {
      let modules =
        edition.has(.twoModules) ? SigningLimits.moduleTokens - 1 : SigningLimits.moduleTokens
      let limit = firstSystemToken.map { $0 + 1 } ?? modules
      if tokens.count > limit {
        tokens.removeSubrange(limit...)
        takenFrom.removeSubrange(limit...)
        used = takenFrom
        end = used.last
      }
    }
    // The crash location counts, not the path to it.
    guard edition.has(.onePiece), let last = firstAppToken ?? firstSystemToken, last > 1 else {
      return
    }
    let surplus = 1..<last
    let left = takenFrom[1]..<takenFrom[last]
    tokens.removeSubrange(surplus)
    takenFrom.removeSubrange(surplus)
    used.removeAll(where: left.contains)
    others = others.compactMap { other in
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
      && !takenFrom.isEmpty && takenFrom.count == tokens.count
  }

  /// Whether a function is among the tokens, not only files of code outside any.
  func namesFunction(of frames: [ClassifiedFrame]) -> Bool {
    frames.contains { $0.name != nil && used.contains($0.index) }
  }

  /// The frame of the last function of the app in ``tokens``; `nil` where the walk ends otherwise.
  var lastApp: Int? {
    guard firstAppToken != nil, shortTurn == nil, takenFrom.count == tokens.count else {
      return nil
    }
    return takenFrom.last
  }

  /// The frame of the platform's function at the front of ``tokens``, before one of the app.
  var firstSystem: Int? {
    guard firstSystemToken == 0, let firstAppToken, firstAppToken > 0,
      takenFrom.count == tokens.count
    else { return nil }
    return takenFrom.first
  }

  /// Leaves only the functions of the app, if there are any.
  mutating func keepApp() {
    guard let firstAppToken, firstAppToken > 0 else { return }
    leftOut = .words
    tokens.removeSubrange(..<firstAppToken)
    others = others.filter { $0.index >= firstAppToken }.map {
      ($0.index - firstAppToken, $0.token)
    }
    used = Array(takenFrom.dropFirst(firstAppToken))
    takenFrom.removeSubrange(..<firstAppToken)
    self.firstAppToken = 0
    firstSystemToken = nil
  }

  /// Takes locations of unnamed frames in images that the report does not list or name, as when it was
  /// truncated: their meaning is unknown.
  mutating func takeUnlisted(_ frames: ArraySlice<ClassifiedFrame>) {
    for frame in frames where frame.isUnlisted && tokens.count < SigningLimits.tokens {
      guard let location = frame.location else { continue }
      tokens.append(location.token)
      takenFrom.append(frame.index)
      used.append(frame.index)
      self.location = self.location ?? location
      // A location with a build is enough; offsets alone could be of any image.
      if location.debugID != nil { return }
    }
  }

  /// Inserts tokens that no frame gave before the others.
  mutating func put(first known: [String]) {
    tokens = known + tokens
    others = others.map { ($0.index + known.count, $0.token) }
  }

  /// Takes the entry of the app's own code, after its callees: all that is known of the app if the failing
  /// function is the first, or if every other one was inlined into it.
  mutating func takeEntry(_ frames: ArraySlice<ClassifiedFrame>) {
    guard let entry = frames.firstIndex(where: { $0.isEntry }) else { return }
    if let call = frames[..<entry].last(where: { $0.frameClass == .glue }) { take(call) }
    take(frames[entry])
  }

  /// Takes the source file of a frame without a function.
  mutating func take(_ frame: ClassifiedFrame, as file: String) {
    tokens.append(file)
    takenFrom.append(frame.index)
    used.append(frame.index)
  }

  /// Takes the modules of runtimes, if only these are known.
  mutating func takeRuntimes(_ frames: ArraySlice<ClassifiedFrame>) {
    for frame in frames where frame.frameClass == .death && frame.name == nil {
      guard tokens.count < SigningLimits.moduleTokens else { return }
      take(frame)
    }
  }

  /// The tokens as they are when Swift's backtracer gives names without modules, if they differ.
  var shortTokens: [String]? {
    if let shortTurn { return [shortTurn] }
    guard !others.isEmpty else { return nil }
    var short = tokens
    for (index, token) in others where short.indices.contains(index) { short[index] = token }
    return short
  }

  /// Falls back to names of indirection and the bottom of the stack, if only these are known.
  ///
  /// - Parameter classes: The classes in order of preference.
  mutating func fallBack(_ frames: ArraySlice<ClassifiedFrame>, to classes: [FrameClass]) {
    for frameClass in classes {
      guard let frame = frames.first(where: { $0.frameClass == frameClass }) else { continue }
      take(frame)
      return
    }
  }

  /// Adds a frame's token unless the one before is the same.
  @discardableResult
  mutating func take(_ frame: ClassifiedFrame) -> Bool {
    used.append(frame.index)
    guard tokens.last != frame.token else { return false }
    tokens.append(frame.token)
    takenFrom.append(frame.index)
    if let short = frame.name?.short { others.append((tokens.count - 1, short)) }
    return true
  }
}

extension FrameClass {
  /// Whether a frame of the class may give a token of the text.
  fileprivate var givesPieces: Bool {
    switch self {
    case .app, .system, .unknown: true
    case .death, .base, .glue, .void: false
    }
  }
}
