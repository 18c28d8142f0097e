/* A driver in the manner of the Linux kernel's: two files with a static function of one name. */
int printk(const char *text, ...);
struct desk { int seats; int price; };

static __attribute__((noinline)) int check(struct desk *desk)
{
	if (desk->seats < 0)
		printk("desk: %d\n", desk->seats);
	return desk->seats * 3;
}

static inline __attribute__((always_inline)) int discount(struct desk *desk)
{
	int rest = check(desk);
	return rest - desk->price;
}

int tern_price(struct desk *desk)
{
	int sum = discount(desk);
	return sum + 1;
}
