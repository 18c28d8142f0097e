import CrashModel

/// A frame in the parts in which App Center's API tells of it.
struct AppCenterFrame {
  let frame: Frame
  /// Of the module, where only an address is known.
  let image: String?
  private(set) var className: String?
  private(set) var method: String?
  private(set) var isClassMethod = false
  private(set) var parameters: String?

  init(_ frame: Frame, of report: CrashReport) {
    self.frame = frame
    image = frame.image.flatMap {
      report.images.indices.contains($0) ? report.images[$0].name : nil
    }
    guard let function = frame.function else { return }
    if function.hasSuffix("]"), function.hasPrefix("-[") || function.hasPrefix("+[") {
      let words = function.dropFirst(2).dropLast().split(separator: " ", maxSplits: 1)
      className = words.first.map(String.init)
      method = words.count == 2 ? String(words[1]) : nil
      isClassMethod = function.hasPrefix("+")
      return
    }
    // What stands in brackets has dots and colons of its own.
    let open = function.firstIndex { $0 == "(" || $0 == "<" } ?? function.endIndex
    let head = function[..<open]
    if let start = function.firstIndex(of: "("), let last = function.lastIndex(of: ")"),
      start < last
    {
      parameters = String(function[function.index(after: start)..<last])
    }
    if let colons = head.ranges(of: "::").last {
      (className, method) = Self.parts(function, head.startIndex, colons)
    } else if let dot = head.lastIndex(of: "."), dot > head.startIndex {
      (className, method) = Self.parts(function, head.startIndex, dot..<head.index(after: dot))
    } else {
      method = function
    }
  }

  private static func parts(
    _ text: String, _ start: String.Index, _ mark: Range<String.Index>
  ) -> (String?, String?) {
    let method = text[mark.upperBound...]
    let bare = method.prefix { $0 != "(" }
    return (String(text[start..<mark.lowerBound]), String(bare.isEmpty ? method : bare))
  }

  /// As the report has it.
  var raw: String {
    frame.symbol ?? frame.function ?? frame.address.map { "\($0)" } ?? "unknown"
  }

  /// For people.
  var formatted: String {
    var text = frame.function ?? frame.address.map { "\($0)" } ?? "unknown"
    if frame.function == nil, let image { text = image + " " + text }
    guard let file = frame.file else { return text }
    return text + " (" + file + (frame.line.map { ":\($0)" } ?? "") + ")"
  }

  /// One of the words of the API.
  var language: String {
    if frame.function?.hasPrefix("-[") == true || frame.function?.hasPrefix("+[") == true {
      return "Objective-C"
    }
    let end = frame.file?.split(separator: ".").last.map(String.init)?.lowercased()
    switch end {
    case "swift": return "Swift"
    case "java", "kt": return "Java"
    case "cs": return "CSharp"
    case "js", "jsx", "ts", "tsx", "bundle": return "JavaScript"
    case "m": return "Objective-C"
    case "mm": return "Objective-Cpp"
    case "c": return "C"
    case "cpp", "cc", "cxx", "hpp": return "Cpp"
    default: return "Unknown"
    }
  }
}

extension CrashReport {
  /// The frame that stands for the report: the first of the app's own on the stack that it died on,
  /// else the first of all. The causes of an exception come first, the deepest before the others.
  var appCenterReason: AppCenterFrame? {
    var stacks: [[Frame]] = []
    if let exception = reason.exception {
      stacks = exception.inner.reversed().map(\.frames) + [exception.frames]
    }
    if let crashedThread, threads.indices.contains(crashedThread) {
      stacks.append(threads[crashedThread].frames)
    }
    let frames = stacks.joined()
    return (frames.first { $0.inApp == true } ?? frames.first).map { AppCenterFrame($0, of: self) }
  }

  /// One of the words of the API for what a stack ran on.
  var appCenterPlatform: String {
    let kit = ((tags["wrapper.name"] ?? "") + " " + (tags["sdk.name"] ?? "")).lowercased()
    if tags["minidump"] != nil { return "ndk" }
    for name in ["react-native", "xamarin", "unity"] where kit.contains(name) { return name }
    switch os.name ?? "" {
    case "iOS", "iPadOS", "macOS", "tvOS", "watchOS", "visionOS": return "ios"
    case "Android": return "android"
    default: return "other"
    }
  }
}
