internal import CrashService
package import CrashModel
internal import ReportDocument

/// A frame in the parts in which App Center's API tells of it.
package struct AppCenterFrame {
  package let frame: Frame
  /// Of the module, where only an address is known.
  package let image: String?
  package private(set) var className: String?
  package private(set) var method: String?
  package private(set) var isClassMethod = false
  package private(set) var parameters: String?

  /// Of code without addresses, as far as its system tells.
  private let managedLanguage: String?

  package init(_ frame: Frame, of report: CrashReport) {
    self.frame = frame
    switch report.appCenterPlatform {
    case "android" where frame.address == nil: managedLanguage = "Java"
    case "xamarin" where frame.address == nil: managedLanguage = "CSharp"
    default: managedLanguage = nil
    }
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
    let (mark, open) = Self.marks(in: function)
    let end = open ?? function.endIndex
    if let open { parameters = Self.parameters(in: function[function.index(after: open)...]) }
    if let mark {
      className = String(function[..<mark.lowerBound])
      method = String(function[mark.upperBound..<end])
    } else {
      method = String(function[..<end])
    }
  }

  /// Up to the bracket that closes them; what comes after it is a result or a qualifier.
  private static func parameters(in rest: Substring) -> String? {
    var depth = 0
    for index in rest.indices {
      if rest[index] == "(" { depth += 1 }
      guard rest[index] == ")" else { continue }
      if depth == 0 { return String(rest[..<index]) }
      depth -= 1
    }
    return nil
  }

  /// The last mark between names, and where the parameters open. What stands in brackets has dots
  /// and colons of its own.
  private static func marks(in name: String) -> (Range<String.Index>?, String.Index?) {
    var mark: Range<String.Index>?
    var depth = 0
    var index = name.startIndex
    while index < name.endIndex {
      let next = name.index(after: index)
      switch name[index] {
      case "(" where depth == 0 && index > (mark?.upperBound ?? name.startIndex):
        return (mark, index)
      case "(", "<", "[", "{": depth += 1
      case ")", ">", "]", "}": depth = max(0, depth - 1)
      case "." where depth == 0 && index > name.startIndex && next < name.endIndex:
        mark = index..<next
      case ":" where depth == 0 && next < name.endIndex && name[next] == ":":
        let end = name.index(after: next)
        if index > name.startIndex && end < name.endIndex { mark = index..<end }
        index = end
        continue
      default: break
      }
      index = next
    }
    return (mark, nil)
  }

  /// As the report has it.
  package var raw: String {
    frame.symbol ?? frame.function ?? frame.address.map { "\($0)" } ?? "unknown"
  }

  /// For people.
  package var formatted: String {
    var text = frame.function ?? frame.address.map { "\($0)" } ?? "unknown"
    if frame.function == nil, let image { text = image + " " + text }
    guard let file = frame.file else { return text }
    return text + " (" + file + (frame.line.map { ":\($0)" } ?? "") + ")"
  }

  /// One of the words of the API.
  package var language: String {
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
    default: return managedLanguage ?? "Unknown"
    }
  }
}

extension CrashReport {
  /// The frame that stands for the report: the first of the app's own on the stack that it died on,
  /// else the first of all. The causes of an exception come first, the deepest before the others; of
  /// several the first, with its own.
  package var appCenterReason: AppCenterFrame? {
    var stacks: [[Frame]] = []
    if let exception = reason.exception {
      stacks = exception.causesFirst(depth: 0)
    }
    if let crashedThread, threads.indices.contains(crashedThread) {
      stacks.append(threads[crashedThread].frames)
    }
    let frames = stacks.joined()
    return (frames.first { $0.inApp == true } ?? frames.first).map { AppCenterFrame($0, of: self) }
  }

  /// One of the words of the API for what a stack ran on.
  package var appCenterPlatform: String {
    let kit = ((tags[.wrapperName] ?? "") + " " + (tags[.sdkName] ?? "")).lowercased()
    if tags[.minidump] != nil { return "ndk" }
    for name in ["react-native", "xamarin", "unity"] where kit.contains(name) { return name }
    switch os.name ?? "" {
    case "iOS", "iPadOS", "macOS", "tvOS", "watchOS", "visionOS": return "ios"
    case "Android": return "android"
    default: return "other"
    }
  }
}

extension LanguageException {
  /// The stacks of its causes, then its own. As deep as documents of reports are.
  fileprivate func causesFirst(depth: Int) -> [[Frame]] {
    guard depth < CrashReport.maximumExceptionDepth else { return [frames] }
    return inner.flatMap { $0.causesFirst(depth: depth + 1) } + [frames]
  }
}
