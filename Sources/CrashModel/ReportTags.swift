/// The tags of reports that come with properties.
public enum ReportTags {
  /// Their names, in lower case: a property that is called so is found as a property only.
  public static let names: Set<String> = [
    "build_id", "carrier.country", "carrier.name", "clock", "data_region", "device.maker",
    "distribution_group", "exception.native", "jailbreak", "live_update.label",
    "live_update.package", "locale", "minidump", "objc.selector", "os.api_level", "process.parent",
    "screen", "sdk.name", "sdk.version", "session", "thread.name", "time_zone.minutes",
    "wrapper.name", "wrapper.runtime", "wrapper.version",
  ]
}
