/// Options that several commands share, declared once in a struct of their own.
@propertyWrapper
public struct OptionGroup<Options>: DeclarationGroup {
  public let wrappedValue: Options

  public init(wrappedValue: Options) { self.wrappedValue = wrappedValue }

  var declarations: [any Declaration] { Arguments.declarations(of: wrappedValue) }
}
