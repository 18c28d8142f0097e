internal import CrashModel
internal import Identifiers

/// The origins of the images of one report, determined on demand.
struct ImageOwners {
  /// The origin of one image. ``KeptParts`` has what it refers to.
  @safe
  struct ImageOwner {
    private unowned(unsafe) let image: KnownImage
    let origin: ImageOrigin
    let rule: RuleName
    /// Whether it is the program itself, which a client's mark cannot make foreign.
    let isProgram: Bool
    /// Whether the report lists the image without a name.
    let isUnnamed: Bool

    /// `[libgtk-3.so]`: neither folder nor version, which differ between machines and releases.
    var spelling: NormalisedName { unsafe image.spelling }
    var name: NameBytes { unsafe image.bytes }
    var runtimeRule: RuleName? { unsafe image.runtimeRule }

    init(_ image: KnownImage, origin: ImageOrigin, rule: RuleName, isProgram: Bool) {
      unsafe self.image = image
      self.origin = origin
      self.rule = rule
      self.isProgram = isProgram
      isUnnamed = image.isUnnamed
    }
  }

  private static let ownFolder = RuleName("image in the executable's folder")
  private static let sharedCache = RuleName("image in Apple's shared cache")
  private static let release = RuleName("image of the app's release")
  private static let executable = RuleName("image is the executable")
  private static let debugFileGiven = RuleName("image whose debug file was given")
  private static let nobody = RuleName("image of no known origin")

  let images: [LoadedImage]
  private let threads: [CrashThread]
  private let exception: LanguageException?
  private let isApple: Bool
  private let processPath: String?
  private let processName: String?
  private let processFolder: Substring?
  private let memo: NameCache<KnownImage>
  /// Keeps what frames and owners refer to.
  let parts: KeptParts
  let frames: KnownFrames
  let rules: RulesVersion
  private var verdicts: [ImageOwner?]
  /// Whether the report is one of .NET, whose names have parentheses in traces and none in its debug files.
  let isDotNet: Bool
  /// Whether the client marked a frame of the stack as the app's own.
  var hasMarks = false

  init(
    _ report: borrowing CrashReport, rules: RulesVersion, memo: NameCache<KnownImage>,
    frames: KnownFrames,
    keeping parts: KeptParts
  ) {
    self.parts = parts
    self.frames = parts.keep(frames)
    threads = report.threads
    exception = report.reason.exception
    isApple = AppleSharedCache.mayBe(in: report)
    images = report.images
    processPath = report.process.path
    processName = report.process.name
    processFolder = Self.folder(report.process.path)
    self.memo = memo
    self.rules = rules
    verdicts = []
    var isDotNet = Self.dotNetFormats.contains(report.format)
    let span = report.images.span
    for index in span.indices where span[index].architecture == .cil { isDotNet = true }
    if !isDotNet, let type = report.reason.exception?.type {
      isDotNet = type.hasPrefix("System.") || type.hasPrefix("Microsoft.")
    }
    self.isDotNet = isDotNet
  }

  private static let dotNetFormats: Set<ReportFormat> = [
    ReportFormat("dotnet"), ReportFormat("mono-crash"), ReportFormat("unity"),
  ]

  mutating func verdict(_ index: Int) -> ImageOwner? {
    if verdicts.indices.contains(index), let known = verdicts[index] { return known }
    // An image that represents the app's code on a virtual machine is not a file.
    guard images.indices.contains(index) else { return nil }
    if isManaged(index) { return nil }
    if verdicts.isEmpty { verdicts = Array(repeating: nil, count: images.count) }
    let name = images[index].name
    let known = parts.keep(known(name: name, path: images[index].path ?? name))
    let (origin, rule) =
      known.platformRule.map { (.platform, $0) } ?? origin(of: index, known)
    let verdict = ImageOwner(
      known, origin: origin, rule: rule, isProgram: origin == .app && isProgram(index))
    verdicts[index] = verdict
    return verdict
  }

  private func isManaged(_ index: Int) -> Bool {
    // Without a copy of the image.
    let span = images.span
    return span[index].isManaged
  }

  private func known(name: String, path: String) -> KnownImage {
    guard memo.remembers(path), memo.remembers(name) else {
      return KnownImage(name: name, path: path, rules: rules)
    }
    if let found = memo.look({ $0.value(of: path) }), let known = found,
      TextHash.areEqual(known.name, name)
    {
      return known
    }
    let known = KnownImage(name: name, path: path, rules: rules)
    memo.remember([known])
    return known
  }

  private func origin(of index: Int, _ known: KnownImage) -> (ImageOrigin, RuleName) {
    if isExecutable(index) { return (.app, Self.executable) }
    let byPath = known.pathRule
    let library = byPath == nil ? libraryRule(of: index, known) : nil
    // For an operating system's image, a debug file is a symbol table at most.
    let isFound =
      images[index].symbols?.verdict == .found
      && (library == nil || images[index].symbols?.isSymbolsOnly != true)
    if isFound,
      byPath?.origin != .system
        || isProductInSystemFolders(images[index].path ?? images[index].name)
    {
      return (.app, Self.debugFileGiven)
    }
    if byPath?.origin != .system, let folder = processFolder,
      folder == Self.folder(images[index].path)
    {
      return (.app, Self.ownFolder)
    }
    if let byPath, let origin = byPath.origin {
      guard origin == .package else { return (origin, byPath.rule) }
      guard let executable = processPath else { return (.undecided, byPath.rule) }
      return (Self.isInSystemFolders(executable) ? .app : .system, byPath.rule)
    }
    if let library { return (.system, library) }
    if images[index].release != nil {
      // Only an exception's frames may be there; libraries without a name there are the system's.
      if isApple, let address = exception?.frames.first(where: { $0.image == index })?.address,
        AppleSharedCache.contains(address)
      {
        return (.system, Self.sharedCache)
      }
      return (.app, Self.release)
    }
    return (.undecided, Self.nobody)
  }

  /// The rule that identifies a system's image other than by its path: its address on Apple's systems, or its
  /// name.
  private func libraryRule(of index: Int, _ known: KnownImage) -> RuleName? {
    if isApple, let address = images[index].base ?? threads.address(inImage: index),
      AppleSharedCache.contains(address)
    {
      return Self.sharedCache
    }
    return known.libraryRule
  }

  /// The build of an image as text: the start of its debug id, or else the release.
  func build(of image: LoadedImage) -> String? {
    if let release = image.release {
      return Scrubbing.scrub(release.name, limit: SigningLimits.releaseBytes).text
    }
    return image.debugID.map { String($0.description.prefix(8)) }
  }

  private func isExecutable(_ index: Int) -> Bool {
    if let path = processPath, let other = images[index].path { return path == other }
    guard let name = processName, !name.isEmpty else { return false }
    return images[index].name == name && images[index].path?.hasPrefix("/System/") != true
  }

  private func isProgram(_ index: Int) -> Bool {
    isExecutable(index) || images[index].path.map(Self.isExecutableOfBundle) ?? false
  }

  /// `Tern.app/Tern`, `Tern.app/Contents/MacOS/Tern`.
  private static func isExecutableOfBundle(_ path: String) -> Bool {
    guard let folder = folder(path) else { return false }
    return folder.hasSuffix(".app") || folder.hasSuffix(".app/Contents/MacOS")
  }

  /// A debug file shows that an image belongs to the product, except in the folders of the system: a
  /// developer's machine has debug files of system libraries too. Only when the executable itself lies there,
  /// as a distribution's packages do, are its images recognised by their debug files.
  private func isProductInSystemFolders(_ path: String) -> Bool {
    guard !path.hasPrefix("/System/"), !path.hasSuffix(".dylib"),
      let executable = processPath
    else { return false }
    return Self.isInSystemFolders(executable)
  }

  private static func isInSystemFolders(_ path: String) -> Bool {
    ["/usr/bin/", "/usr/sbin/", "/usr/games/", "/usr/lib", "/bin/", "/sbin/"]
      .contains { path.hasPrefix($0) }
  }

  private static func folder(_ path: String?) -> Substring? {
    guard let path else { return nil }
    // A combining character after a slash makes another character of it.
    let isASCII = path.utf8.allSatisfy { $0 < 0x80 }
    let slash = isASCII ? path.utf8.lastIndex(of: UInt8(ascii: "/")) : path.lastIndex(of: "/")
    guard let slash, slash > path.startIndex else { return nil }
    return path[..<slash]
  }

  /// The name without folder and version: `libgtk-3.so.0.2404.29` is `libgtk-3.so`.
  static func normalise(_ raw: String) -> NameBytes {
    var name = Scrubbing.scrub(raw, limit: SigningLimits.nameBytes)
    if let slash = name.lastIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }),
      slash + 1 < name.count
    {
      name = name.from(slash + 1)
    }
    if let end = name.findLast(".so."), end > 0 { name.cut(at: end + 3) }
    if name.ends(with: ".dylib") {
      // `libicucore.66.dylib`
      var parts = name.split(separator: UInt8(ascii: "."))
      while parts.count > 2, parts[parts.count - 2].allSatisfy({ $0.isDigit }) {
        parts.remove(at: parts.count - 2)
      }
      name = Array(parts.joined(separator: [UInt8(ascii: ".")]))
    }
    let lower = name.map { $0.lowercased }
    if lower.ends(with: ".dll") || lower.ends(with: ".exe") || lower.ends(with: ".sys") {
      name = lower
    }
    if lower.ends(with: ".js") || lower.ends(with: ".mjs") { name = ManagedName.withoutHash(name) }
    Scrubbing.shorten(&name, to: SigningLimits.tokenBytes)
    return name
  }
}
