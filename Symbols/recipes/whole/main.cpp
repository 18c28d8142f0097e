extern "C" int sell(int);
int main(int count, char **) { return sell(count); }
#ifdef _WIN32
extern "C" void abort(void) { for (;;) __builtin_trap(); }
extern "C" void __main(void) {}
#endif
