internal import Bytes

/// Writes the sections of scopes.
struct ScopeWriter: ~Copyable, Sendable {
  private(set) var scopes: Table<UInt8>
  private(set) var wideScopes = Table<UInt8>()
  let form: ScopeForm

  init(_ order: ScopeOrder, keepsColumns: Bool) {
    form = ScopeForm(functionCount: order.functions.count, fileCount: order.paths.files.count)
    scopes = Table(minimumCapacity: order.scopes.count * 8)
    let form = form
    for index in 0..<order.scopes.count {
      var scope = order.scopes[index]
      if !keepsColumns { scope.column = 0 }
      if !form.fits(scope) {
        let number = wideScopes.count / SymbolCacheFormat.wideScopeSize
        scopes.put(UInt64(number) &<< UInt64(form.function) | form.wide)
        wideScopes.put(scope.function)
        wideScopes.put(scope.distance)
        wideScopes.put(scope.fileOrEntry)
        wideScopes.put(scope.line)
        wideScopes.put(scope.column)
      } else {
        let location =
          (UInt64(scope.column) &<< UInt64(form.line) | UInt64(scope.line)) &<< UInt64(form.file)
          | UInt64(scope.fileOrEntry)
        let rest = location &<< UInt64(form.distance) | UInt64(scope.distance)
        scopes.put(rest &<< UInt64(form.function) | UInt64(scope.function))
      }
    }
  }
}

extension ScopeForm {
  /// Whether the numbers of a scope have enough bits; the entry of a function always has.
  @inline(__always)
  fileprivate func fits(_ scope: ScopeOrder.Scope) -> Bool {
    guard UInt64(scope.function) < wide else { return false }
    return scope.distance == 0
      || UInt64(scope.distance) <= mask(distance) && UInt64(scope.fileOrEntry) <= mask(file)
        && UInt64(scope.line) <= mask(line) && UInt64(scope.column) <= mask(column)
  }
}
