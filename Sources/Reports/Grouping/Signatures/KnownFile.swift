/// The owner of a source file, by its path. It is cached, as most frames share their files with others.
final class KnownFile: NameCacheValue {
  let memoText: String
  /// The rule by which it belongs to a bundled library.
  let packageRule: RuleName?
  /// The rule by which it is not the app's, whatever the function.
  private let outsideRule: RuleName?
  /// Whether it is one of Node's, as they were named up to version 14.
  let isOldNode: Bool

  init(_ path: String) {
    memoText = path
    packageRule = SourceOwner.packageRule(path).map(RuleName.init)
    outsideRule = SourceOwner.outsideRule(path).map(RuleName.init)
    isOldNode = SourceOwner.isOldNode(path)
  }

  /// The rule by which `function` in it is not the app's, or `nil`.
  func outsideRule(of function: String?) -> RuleName? {
    guard outsideRule == nil, function != nil, SourceOwner.isOfGo(memoText) else {
      return outsideRule
    }
    return SourceOwner.outsideRule(memoText, of: function).map(RuleName.init)
  }
}
