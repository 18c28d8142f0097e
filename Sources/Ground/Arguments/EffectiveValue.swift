/// The value of a command's option when the command line does not give it.
public struct EffectiveValue: Hashable, Sendable {
  public let parameter: Parameter
  /// The values, more than one for a list only; none where nothing holds. A flag has `yes` or `no`.
  public let values: [String]
  public let source: OptionSource
}

extension CommandDescription {
  /// The value of each of the command's options, in the order of their declaration.
  public func effectiveValues(
    environment: [String: String], settings: Settings
  ) -> [EffectiveValue] {
    options.map { option in
      let fallback = Fallback(
        for: option, of: Array(path.dropFirst()), prefix: environmentPrefix,
        environment: environment, settings: settings)
      guard let fallback else {
        let value = option.kind == .flag ? "no" : option.defaultText
        return EffectiveValue(
          parameter: option, values: value.map { [$0] } ?? [], source: .builtIn)
      }
      // A variable that is set to anything else turns a flag on.
      let values =
        option.kind == .flag
        ? fallback.values.map { Fallback.isOn($0) == false ? "no" : "yes" } : fallback.values
      return EffectiveValue(parameter: option, values: values, source: fallback.source)
    }
  }
}
