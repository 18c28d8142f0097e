internal import CrashModel

/// The facts of a report that conditions test.
struct RuleContext {
  private let report: CrashReport
  private let product: String
  private let category: SignatureCategory
  private let threadName: String?

  init(_ report: CrashReport, product: String, category: SignatureCategory) {
    self.report = report
    self.product = product
    self.category = category
    threadName =
      CrashCategoryDecision.crashedIndex(of: report).flatMap { report.threads[$0].name }
      ?? report.tags[.threadName]
  }

  func fits(_ rule: CustomRule) -> Bool {
    rule.report.allSatisfy { $0.holds(for: values($0.field)) }
  }

  /// The values of a field; empty if the report has none.
  private func values(_ field: CustomRuleCondition.Field) -> [NameBytes] {
    switch field {
    case .platform: platforms.map { NameBytes($0.utf8) }
    case .family: families.map { NameBytes($0.utf8) }
    case .product: [product, report.app.identifier].compactMap { $0.map(Self.bytes) }
    case .category: [NameBytes(category.rawValue.utf8)]
    case .type:
      ([report.reason.type, report.reason.signal] + exceptions.map(\.type)).compactMap {
        $0.map(Self.bytes)
      }
    case .message:
      ([report.reason.message] + exceptions.map(\.message)).compactMap { $0.map(Self.bytes) }
    case .thread: threadName.map { [Self.bytes($0)] } ?? []
    case .version: report.app.version.map { [Self.bytes($0)] } ?? []
    case .tag(let name): tag(name).map { [Self.bytes($0)] } ?? []
    case .module, .function, .file, .inApp: []
    }
  }

  /// A tag of the report, or the property that the app added under that name.
  func tag(_ name: String) -> String? { report.tags[ReportTag(name)] ?? report.properties[name] }

  var categoryWord: String { category.rawValue }

  /// The class of the exception, or the system's or tool's name for the fault.
  var type: String? {
    report.reason.exception?.type ?? report.reason.type ?? report.reason.signal
  }

  private static func bytes(_ text: String) -> NameBytes {
    NameBytes(text.utf8.prefix(CustomRules.Limit.value))
  }

  /// Exceptions that were thrown, the outermost first.
  private var exceptions: [LanguageException] {
    var found: [LanguageException] = []
    var open = report.reason.exception.map { [$0] } ?? []
    while let exception = open.popLast(), found.count < SigningLimits.causes {
      found.append(exception)
      open += exception.inner.reversed()
    }
    return found
  }

  /// The system in lower case, and `apple` for Apple's systems.
  private var platforms: [String] {
    let name = report.os.name?.lowercased() ?? report.tags[.platform]?.lowercased() ?? ""
    let apple = [
      "macos", "mac os", "os x", "ios", "iphone", "ipados", "tvos", "watchos", "visionos",
    ]
    let isApple =
      apple.contains { name.hasPrefix($0) } || report.format == .appleIPS
      || report.format == .appleCrash
    return (name.isEmpty ? [] : [name]) + (isApple ? ["apple"] : [])
  }

  /// Native or managed code, and the language if the report gives it.
  private var families: [String] {
    let stack =
      CrashCategoryDecision.crashedIndex(of: report).map { report.threads[$0].frames } ?? []
    let frames = stack.isEmpty ? report.reason.exception?.frames ?? [] : stack
    let isNative = frames.contains { frame in
      guard let index = frame.image, report.images.indices.contains(index) else {
        return frame.address != nil
      }
      return !report.images[index].isManaged
    }
    return [isNative ? "native" : "managed"]
      + [report.tags[.language]?.lowercased(), report.format.description].compactMap { $0 }
  }
}

/// The facts of a frame that conditions test.
struct FrameRuleContext {
  let functions: [NameBytes]
  let modules: [NameBytes]
  let files: [NameBytes]
  let inApp: Bool?

  func fits(_ condition: CustomRuleCondition) -> Bool {
    switch condition.field {
    case .function: condition.holds(for: functions)
    case .module: condition.holds(for: modules)
    case .file: condition.holds(for: files)
    default:
      if case .flag(let flag) = condition.test {
        (inApp == flag) != condition.isNegated
      } else {
        false
      }
    }
  }
}

extension Array where Element == FrameRuleContext {
  /// Whether a rule's frame conditions hold for the frame at `index`.
  func fit(_ rule: CustomRule, at index: Int) -> Bool {
    guard rule.frame.allSatisfy({ self[index].fits($0) }) else { return false }
    return rule.neighbours.allSatisfy { neighbour in
      let other = neighbour.isCaller ? index + 1 : index - 1
      let fits =
        indices.contains(other) && neighbour.conditions.allSatisfy { self[other].fits($0) }
      return fits != neighbour.isNegated
    }
  }
}
