extension AppIdentity {
  /// Version and build as one text: `1.4.0 (512)`; empty where both are missing.
  public var versionText: String {
    switch (version, build) {
    case (let version?, let build?): version == build ? version : "\(version) (\(build))"
    case (let version?, nil): version
    case (nil, let build?): "(\(build))"
    case (nil, nil): ""
    }
  }
}
