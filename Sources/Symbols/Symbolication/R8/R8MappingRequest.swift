internal import CrashModel
internal import Identifiers
internal import Retracing
internal import SymbolSources

/// The mappings of R8 that a report may need, according to its content.
struct R8MappingRequest {
  /// The images that represent the app's code, the best first. Any mapping for them is accepted.
  private(set) var app: [LoadedImage] = []
  /// Whether a mapping without any of the ids may be taken: the report names no mapping as such.
  private(set) var takesGiven = false
  /// The images by the ids of mappings that frames name instead of a source file.
  private(set) var named: [String: LoadedImage] = [:]
  /// The images whose frames are calls of Java.
  let java: JavaImages

  static let imageName = "R8 mapping"
  /// The text that R8 writes instead of a source file, followed by the mapping's id.
  private static let mark = "r8-map-id-"
  private static let mostNamed = 16

  /// - Parameter app: The app's name, by which mappings of its releases are found.
  init(of report: CrashReport, app name: String?) {
    java = JavaImages(report.images)
    let mayBeJava = report.mayBeJava
    guard mayBeJava || report.namesMapping else { return }
    var looksShortened = false
    var hasOwnCalls = false
    for type in report.exceptionTypes {
      let call = R8Call(className: type, method: "<init>")
      if !call.isOfSystem { hasOwnCalls = true }
      if call.looksShortened { looksShortened = true }
    }
    report.forEachStack { frames in
      for frame in frames {
        guard let call = R8Call(managed: frame, in: java) else { continue }
        if let id = Self.mapID(of: frame), named[id] == nil, named.count < Self.mostNamed {
          named[id] = Self.image(R8Identity.identity(ofMapID: id))
        }
        if !hasOwnCalls { hasOwnCalls = !call.isOfSystem }
        if !looksShortened { looksShortened = call.looksShortened }
      }
    }
    guard hasOwnCalls, !named.isEmpty || mayBeJava else { return }
    let given = report.images.filter { $0.architecture == .jvm }
    guard looksShortened || !given.isEmpty else { return }
    // Several belong to parts of the app, each with its own frames.
    if named.count == 1 { app = Array(named.values) }
    app += given
    guard named.isEmpty else { return }
    takesGiven = true
    let release = Release(version: report.app.version ?? "", build: report.app.build ?? "")
    if let name, let id = ReleaseIdentity.ofReport(app: name, release: release, .r8) {
      app.append(Self.image(id))
    }
    if app.isEmpty { app = [Self.image(nil)] }
    // Such an image represents the mapping of the release, whichever that is.
    for index in app.indices where app[index].debugID == nil || index >= given.count {
      if !release.isEmpty { app[index].release = release }
    }
  }

  var isEmpty: Bool { app.isEmpty && named.isEmpty }

  static func mapID(of frame: Frame) -> String? {
    guard let file = frame.file, file.hasPrefix(mark), file.utf8.count > mark.utf8.count else {
      return nil
    }
    return String(file.dropFirst(mark.utf8.count))
  }

  private static func image(_ identity: MappingFile.Identity?) -> LoadedImage {
    LoadedImage(
      name: imageName, architecture: .jvm, debugID: identity?.debugID, codeID: identity?.codeID)
  }
}

extension R8Call {
  /// The call of a frame of Java's virtual machine or of Android's runtime; `nil` for any other.
  ///
  /// - Parameter java: The Java images of the report. In tombstones, Java calls have addresses, too.
  init?(managed frame: Frame, in java: JavaImages) {
    guard let function = frame.function else { return nil }
    if frame.address != nil || frame.imageOffset != nil {
      guard java.contains(frame.image) else { return nil }
    }
    guard Self.mayBeJava(frame.file) else { return nil }
    self.init(function, line: frame.line, file: frame.file)
  }

  /// Whether a file may be a Java file: those are named without folders; other languages that print dotted
  /// names have other extensions.
  private static func mayBeJava(_ file: String?) -> Bool {
    guard let file else { return true }
    let others = [
      ".py", ".js", ".ts", ".jsx", ".tsx", ".mjs", ".cs", ".vb", ".fs", ".rb", ".go", ".dart",
      ".php", ".swift", ".c", ".cc", ".cpp", ".m", ".mm", ".rs", ".bundle", ".jsbundle",
    ]
    return !file.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
      && !others.contains(where: file.hasSuffix)
  }

  /// Packages of the system, whose names are never shortened.
  private static let systemPackages = [
    "java.", "javax.", "jdk.", "sun.", "com.sun.", "dalvik.", "libcore.", "android.app.",
    "android.os.", "android.view.", "android.widget.", "android.content.", "android.database.",
    "com.android.internal.", "com.android.server.", "org.json.", "org.apache.harmony.",
  ]

  var isOfSystem: Bool { Self.systemPackages.contains(where: className.hasPrefix) }

  /// Whether a shrinker seems to have processed it: it names no file of the source, or its class has a name
  /// that is not hand-written.
  var looksShortened: Bool {
    guard !isOfSystem else { return false }
    if let file,
      ["SourceFile", "PG", "Proguard", "ProGuard"].contains(file) || file.hasPrefix("r8-map-id-")
    {
      return true
    }
    let name = className.split(separator: ".").last ?? ""
    let outer = name.prefix { $0 != "$" }
    guard (1...3).contains(outer.utf8.count) else { return false }
    let isLowercase = outer.utf8.first.map { (97...122).contains($0) } ?? false
    // Scripts have short names as well, and so do their files.
    guard let file, let dot = file.lastIndex(of: ".") else { return isLowercase }
    return file[..<dot] != outer && (isLowercase || outer.utf8.count <= 2)
  }
}

extension CrashReport {
  /// Whether the report is from Java's virtual machine or Android: other languages print short dotted names,
  /// too.
  fileprivate var mayBeJava: Bool {
    let format = format.description
    if os.name == "Android" || format.hasPrefix("java-") || format.hasPrefix("android-") {
      return true
    }
    if images.contains(where: { $0.architecture == .jvm }) { return true }
    var isFound = false
    forEachStack { frames in
      if !isFound { isFound = frames.contains(where: \.isOfJavaFile) }
    }
    return isFound
  }

  /// Whether a frame names a mapping by its id.
  fileprivate var namesMapping: Bool {
    var isFound = false
    forEachStack { frames in
      if !isFound { isFound = frames.contains { R8MappingRequest.mapID(of: $0) != nil } }
    }
    return isFound
  }

  /// The classes of the exception and of its causes, if Java calls are on its stack.
  fileprivate var exceptionTypes: [String] {
    var types: [String] = []
    var exceptions = [reason.exception].compactMap(\.self)
    while let exception = exceptions.popLast() {
      if exception.frames.contains(where: \.isOfJavaFile), let type = exception.type {
        types.append(type)
      }
      exceptions += exception.inner
    }
    return types
  }
}

extension Frame {
  fileprivate var isOfJavaFile: Bool {
    file.map { $0.hasSuffix(".java") || $0.hasSuffix(".kt") || $0 == "SourceFile" } ?? false
  }
}
